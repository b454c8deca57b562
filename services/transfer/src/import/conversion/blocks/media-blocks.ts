import { removeElement } from 'domutils';
import { isTag, type Element } from 'domhandler';
import { isHttpUrl } from '@quire/values';
import { embedBlock } from '../html/embeds.js';
import { classesOf, findElement, hasClass, named } from '../html/html-tree.js';
import { alignmentOf, attachmentImage, galleryBlock, numberOf } from '../html/images.js';
import { captionOf } from '../html/media-elements.js';
import { textBlock, textOfSpans, textWithAddresses, type Block, type SpanContent } from '../portable-text.js';
import { addressAttribute, idAttribute, textAttribute } from './attributes.js';
import type { BlockConverter, BlockHelpers } from './block-helpers.js';
import { buttonsBlock } from './buttons.js';
import { sourceBlock } from './source-block.js';

const convertImage: BlockConverter = (block, helpers) => {
  const id = idAttribute(block, 'id');
  const alignment = alignmentOf(block.attributes['align']);
  const blocks = helpers.content({ image: { id, alignment } });
  const attachment = id === undefined ? undefined : helpers.conversion.context.attachment(id);
  return blocks.length > 0 || !attachment ? blocks : [attachmentImage(attachment)];
};

/** A gallery of inner image blocks, of a list of images, or of ids only. */
const convertGallery: BlockConverter = (block, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const gallery = findElement(nodes, named('figure', 'ul', 'div'));
  const caption = gallery?.name === 'figure' ? takeCaption(gallery, flow) : undefined;
  flow.walk(nodes);
  const blocks = finish();
  const isImage = ({ _type }: Block) => _type === 'image';
  const found = blocks.filter(isImage);
  const images = found.length > 0 ? found : imagesOfIds(block.attributes['ids'], helpers);
  const others = blocks.filter((each) => !isImage(each) && !isEmptyText(each));
  if (images.length === 0) return withText(others.length > 0 ? others : sourceOfGallery(block), caption);
  const columns = numberOf(String(block.attributes['columns'] ?? (gallery && columnsClass(gallery)) ?? ''));
  const text = caption === undefined ? undefined : textWithAddresses(caption);
  return [galleryBlock(images, { columns, caption: text }), ...others];
};

/** Removes the caption of a gallery, so that it does not become the one of its last image. */
function takeCaption(gallery: Element, flow: Parameters<typeof captionOf>[1]): SpanContent | undefined {
  const { content, others } = captionOf(gallery, flow);
  for (const node of [...gallery.children]) {
    if (isTag(node) && node.name === 'figcaption') removeElement(node);
  }
  flow.push(others);
  return content.children.length === 0 ? undefined : content;
}

const withText = (blocks: readonly Block[], content: SpanContent | undefined): Block[] =>
  content ? [...blocks, textBlock('normal', content)] : [...blocks];

const sourceOfGallery = (block: Parameters<BlockConverter>[0]): Block[] =>
  Array.isArray(block.attributes['ids']) && block.attributes['ids'].length > 0 ? [sourceBlock(block)] : [];

const isEmptyText = ({ _type, children }: Block): boolean =>
  _type === 'block' && (children as SpanContent['children']).every(({ text }) => text === '');

const columnsClass = (element: Element): string | undefined =>
  classesOf(element)
    .find((name) => /^columns-\d+$/.test(name))
    ?.slice('columns-'.length);

function imagesOfIds(ids: unknown, { conversion }: BlockHelpers): Block[] {
  if (!Array.isArray(ids)) return [];
  return ids.flatMap((id) => {
    const number = numberOf(String(id));
    const attachment = number === undefined ? undefined : conversion.context.attachment(number);
    return attachment ? [attachmentImage(attachment)] : [];
  });
}

/** A video or audio block: its address is in the HTML; in the attributes where the HTML has none. */
const convertPlayer =
  (provider: 'video' | 'audio'): BlockConverter =>
  (block, helpers) => {
    const blocks = helpers.content();
    if (blocks.some(({ _type }) => _type === 'embed')) return blocks;
    const id = idAttribute(block, 'id');
    const attachment = id === undefined ? undefined : helpers.conversion.context.attachment(id)?.url;
    const url = helpers.conversion.safeFileUrl(addressAttribute(block, 'src') ?? attachment);
    return url === undefined ? blocks : [embedBlock(url, { provider }), ...blocks];
  };

/** An embed: the address is an attribute, and a text of the HTML. */
export const convertEmbed: BlockConverter = (block, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const figure = findElement(nodes, named('figure'));
  const caption = figure && takeCaption(figure, flow);
  const text = textOfSpans(flow.textOf(nodes).content).trim();
  const url = addressAttribute(block, 'url') ?? text;
  if (!isHttpUrl(url)) {
    if (url !== '') helpers.conversion.warnOfUrl(url);
    return [sourceBlock(block)];
  }
  if (text !== '' && text !== url) flow.walk(nodes);
  const provider = textAttribute(block, 'providerNameSlug') ?? /^core-embed\/(.+)$/.exec(block.name)?.[1];
  return [
    embedBlock(url, {
      ...(provider === undefined ? {} : { provider }),
      ...(caption ? { caption: textWithAddresses(caption) } : {}),
    }),
    ...finish(),
  ];
};

/** The label that the source gives a download button; `showDownloadButton` means it. */
const defaultDownloadLabel = 'Download';

/**
 * A file: the text of its link is its name. A download button with a label of its own is a button behind it, because a
 * file has no label.
 */
const convertFile: BlockConverter = (block, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const isButton = (element: Element) => hasClass(element, 'wp-block-file__button');
  const link = findElement(nodes, (element) => element.name === 'a' && !isButton(element));
  const button = findElement(nodes, isButton);
  const address = addressAttribute(block, 'href') ?? (link ?? button)?.attribs['href'];
  const url = helpers.conversion.safeFileUrl(address);
  if (url === undefined) return address === undefined ? helpers.content() : [sourceBlock(block)];
  const filename = link ? textOfSpans(flow.textOf(link.children).content) : '';
  const preview = findElement(nodes, named('object'));
  const label = button ? textOfSpans(flow.textOf(button.children).content) : '';
  const hasOwnLabel = label !== '' && label !== defaultDownloadLabel;
  for (const element of [link, button, preview]) if (element) removeElement(element);
  if (hasOwnLabel) flow.push(buttonsBlock([{ _type: 'button', text: label, url, style: 'default' }]));
  flow.walk(nodes);
  const showDownloadButton = block.attributes['showDownloadButton'] !== false && !hasOwnLabel;
  return [{ _type: 'file', url, ...(filename === '' ? {} : { filename }), showDownloadButton }, ...finish()];
};

/** Images, galleries, players, embeds and files (contract section 3.2). */
export const mediaBlocks: readonly (readonly [string, BlockConverter])[] = [
  ['core/image', convertImage],
  ['core/gallery', convertGallery],
  ['core/video', convertPlayer('video')],
  ['core/audio', convertPlayer('audio')],
  ['core/embed', convertEmbed],
  ['core/file', convertFile],
];
