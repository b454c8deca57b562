import { isHttpUrl } from '@quire/values';
import type { Conversion, SourceAttachment } from '../conversion-context.js';
import { Fragment, type Place } from '../html/fragment.js';
import { embedBlock } from '../html/embeds.js';
import { alignmentOf, attachmentImage, galleryBlock, numberOf } from '../html/images.js';
import { decodeText } from '../html/html-tree.js';
import { withCaption } from '../html/media-elements.js';
import { textWithAddresses, type Block, type SpanContent } from '../portable-text.js';
import type { Shortcode } from './shortcode.js';

/** Converts HTML inside a shortcode at a place. */
export type ConvertHtml = (fragment: Fragment, place: Place) => Block[];

/** What a shortcode becomes at a place; undefined for one that cannot be converted. */
export function shortcodeConverter(
  shortcode: Shortcode,
  conversion: Conversion,
  convertHtml: ConvertHtml,
): ((place: Place) => Block[]) | undefined {
  switch (shortcode.name) {
    case 'caption':
    case 'wp_caption':
      return shortcode.content === undefined
        ? undefined
        : (place) => captioned(shortcode, shortcode.content ?? '', place, convertHtml);
    case 'gallery':
      return constant(gallery(shortcode, conversion));
    case 'embed':
      return constant(embed(shortcode));
    case 'playlist':
      return constant(playlist(shortcode, conversion));
    default:
      return player(shortcode, conversion, convertHtml);
  }
}

const constant = (blocks: Block[] | undefined): (() => Block[]) | undefined => blocks && (() => blocks);

/** An image with the text beside it, or the attribute, as its caption. */
function captioned(
  { attributes }: Shortcode,
  content: string,
  place: Place,
  convertHtml: ConvertHtml,
): Block[] {
  const id = numberOf(attributes.get('id')?.replace(/^attachment_/, ''));
  const alignment = alignmentOf(attributes.get('align')?.replace(/^align/, ''));
  const blocks = convertHtml(new Fragment(content), { ...place, style: 'normal', image: { id, alignment } });
  const isText = ({ _type }: Block) => _type === 'block';
  const media = blocks.filter((block) => !isText(block));
  if (media.length !== 1) return blocks;
  const texts = blocks.filter(isText).map((block) => textWithAddresses(block as Block & SpanContent));
  const attribute = decodeText(attributes.get('caption') ?? '').trim();
  const caption = [attribute, ...texts].filter((text) => text !== '').join('\n');
  return withCaption(media, contentOf(caption));
}

const contentOf = (text: string): SpanContent => ({
  children: text === '' ? [] : [{ _type: 'span', _key: 's0', text, marks: [] }],
  markDefs: [],
});

/** The images of the ids, otherwise those that belong to the item. */
function gallery({ attributes }: Shortcode, { context }: Conversion): Block[] | undefined {
  // The images of another item are not known.
  if (attributes.has('id')) return undefined;
  const excluded = new Set(idsOf(attributes.get('exclude')));
  const images = attachmentsOf(attributes.get('ids') ?? attributes.get('include'), context)
    .filter((each) => isImage(each) && !excluded.has(each.id))
    .map(attachmentImage);
  const columns = numberOf(attributes.get('columns'));
  return images.length === 0 ? undefined : [galleryBlock(images, { columns })];
}

function attachmentsOf(ids: string | undefined, context: Conversion['context']): readonly SourceAttachment[] {
  if (ids === undefined) return context.childAttachments();
  return idsOf(ids).flatMap((id) => context.attachment(id) ?? []);
}

const idsOf = (list: string | undefined): number[] =>
  (list ?? '').split(',').flatMap((text) => numberOf(text.trim()) ?? []);

function isImage({ mimeType, url }: SourceAttachment): boolean {
  return (
    mimeType?.startsWith('image/') ?? /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp)(?:$|[?#])/i.test(url)
  );
}

function embed({ content, attributes, values }: Shortcode): Block[] | undefined {
  const url = decodeText(content ?? attributes.get('src') ?? values[0] ?? '').trim();
  return isHttpUrl(url) ? [embedBlock(url)] : undefined;
}

const sources = {
  audio: ['src', 'mp3', 'm4a', 'ogg', 'wav', 'wma', 'flac'],
  video: ['src', 'mp4', 'm4v', 'webm', 'ogv', 'flv', 'wmv', 'mov'],
} as const;

/** A player of the first source, and the content, which players show where they cannot play. */
function player(
  { name, attributes, values, content }: Shortcode,
  conversion: Conversion,
  convertHtml: ConvertHtml,
): ((place: Place) => Block[]) | undefined {
  const provider = name === 'audio' ? 'audio' : 'video';
  const source = sources[provider].map((key) => attributes.get(key)).find((each) => each !== undefined);
  const url = conversion.safeFileUrl(decodeText(source ?? values[0] ?? ''));
  if (url === undefined) return undefined;
  const poster = conversion.safeFileUrl(decodeText(attributes.get('poster') ?? ''));
  const block = embedBlock(url, { provider, ...(poster === undefined ? {} : { poster }) });
  return (place) => [block, ...(content === undefined ? [] : convertHtml(new Fragment(content), place))];
}

/** The files of a playlist, one player each. */
function playlist({ attributes }: Shortcode, { context }: Conversion): Block[] | undefined {
  const provider = attributes.get('type') === 'video' ? 'video' : 'audio';
  const isOfType = ({ mimeType, url }: SourceAttachment) =>
    mimeType?.startsWith(`${provider}/`) ??
    sources[provider].some((extension) => url.toLowerCase().split(/[?#]/, 1)[0]?.endsWith(`.${extension}`));
  const blocks = attachmentsOf(attributes.get('ids'), context)
    .filter(isOfType)
    .map(({ url, title, caption }) => {
      const label = caption ? caption : title;
      return embedBlock(url, { provider, ...(label ? { caption: label } : {}) });
    });
  return blocks.length === 0 ? undefined : blocks;
}
