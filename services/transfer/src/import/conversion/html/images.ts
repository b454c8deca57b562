import type { Element } from 'domhandler';
import { isAllowedSeedUrl, isAllowedUrl } from '@quire/values';
import type { SourceAttachment } from '../conversion-context.js';
import { htmlBlock, type Block } from '../portable-text.js';
import type { Flow } from './flow.js';
import { classesOf, hasClass } from './html-tree.js';

const alignments = ['left', 'center', 'right', 'wide', 'full'] as const;

/** The alignment that a value names, or undefined. */
export const alignmentOf = (value: unknown): string | undefined => alignments.find((name) => name === value);

/** The alignment that the classes of an element name, such as `alignleft`. */
export function alignmentOfClasses(element: Element): string | undefined {
  for (const name of classesOf(element)) {
    const alignment = name.startsWith('align') ? alignmentOf(name.slice('align'.length)) : undefined;
    if (alignment !== undefined) return alignment;
  }
  return undefined;
}

/** Adds an image block, or what represents the image inside a text. */
export function addImage(element: Element, flow: Flow): void {
  const { alt } = element.attribs;
  const src = sourceOfImage(element);
  const isEmoji = hasClass(element, 'emoji') || hasClass(element, 'wp-smiley');
  if (isEmoji && alt) flow.text.add(alt, flow.marks);
  else if (flow.kind === 'text') addImageToText(element, flow);
  else if (src === '') flow.push(htmlBlock(flow.sourceOf(element)));
  else flow.push(imageOrSource(element, src, flow));
}

/** The address of an image. One that scripts load later has a placeholder in its place. */
function sourceOfImage({ attribs }: Element): string {
  const src = attribs['src']?.trim() ?? '';
  if (src !== '' && !src.startsWith('data:')) return src;
  return attribs['data-src']?.trim() ?? attribs['data-lazy-src']?.trim() ?? src;
}

function imageOrSource(element: Element, url: string, flow: Flow): Block {
  if (isImageUrl(url)) return imageOf(element, url, flow);
  flow.conversion.warnOfUrl(url);
  return htmlBlock(flow.sourceOf(element));
}

/** An image may be relative to its page, or to the scheme of its page: it is no link that leaves the site. */
const isImageUrl = (url: string): boolean =>
  isAllowedSeedUrl(url) || (url.startsWith('//') && isAllowedUrl(`https:${url}`));

function imageOf(element: Element, url: string, flow: Flow): Block {
  const { place } = flow;
  const id = classId(element) ?? numberOf(element.attribs['data-id']) ?? place.image?.id;
  const link = flow.marks.findLast((mark) => typeof mark !== 'string');
  return imageBlock({
    ref: id === undefined ? url : String(id),
    url,
    alt: element.attribs['alt'],
    alignment: alignmentOfClasses(element) ?? place.image?.alignment,
    link: link?.href,
  });
}

/** A text holds no image: a link to it, with the words that represent it. */
function addImageToText(element: Element, flow: Flow): void {
  const url = sourceOfImage(element);
  const { alt } = element.attribs;
  const text = alt?.trim() ? alt : isImageUrl(url) ? url : '';
  if (text === '') {
    flow.push(htmlBlock(flow.sourceOf(element)));
    return;
  }
  const isLinked = flow.marks.some((mark) => typeof mark !== 'string');
  const marks = isLinked || !isAllowedUrl(url) ? flow.marks : [...flow.marks, { href: url, blank: false }];
  flow.text.add(text, marks);
}

const classId = (element: Element): number | undefined =>
  numberOf(
    classesOf(element)
      .find((name) => /^wp-image-\d+$/.test(name))
      ?.slice('wp-image-'.length),
  );

/** A positive whole number, as ids of the source are. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The image block of an attachment. */
export function attachmentImage({ id, url, alt, caption }: SourceAttachment): Block {
  return imageBlock({ ref: String(id), url, alt, caption: caption === '' ? undefined : caption });
}

/** A gallery block (contract section 3.2). */
export function galleryBlock(
  images: readonly Block[],
  { columns, caption }: { columns?: number | undefined; caption?: string | undefined },
): Block {
  return {
    _type: 'gallery',
    images: images.map(({ _type, ...image }, index) => ({ _type, _key: `i${index}`, ...image })),
    ...(columns === undefined ? {} : { columns }),
    ...(caption === undefined ? {} : { caption }),
  };
}

function imageBlock(image: {
  /** Id at the source, or the address; known addresses of downloaded files replace it by the media id. */
  ref: string;
  url: string;
  alt?: string | undefined;
  caption?: string | undefined;
  alignment?: string | undefined;
  link?: string | undefined;
}): Block {
  const { ref, url, alt, caption, alignment, link } = image;
  return {
    _type: 'image',
    asset: { _type: 'reference', _ref: ref, url },
    ...(alt === undefined ? {} : { alt }),
    ...(caption === undefined ? {} : { caption }),
    ...(alignment === undefined ? {} : { alignment }),
    ...(link === undefined ? {} : { link }),
  };
}
