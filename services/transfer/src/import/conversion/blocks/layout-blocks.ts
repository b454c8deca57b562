import { removeElement } from 'domutils';
import type { ChildNode, Element } from 'domhandler';
import type { SourceBlock } from '../block-tree.js';
import { findElement, findElements, hasClass } from '../html/html-tree.js';
import { alignmentOf } from '../html/images.js';
import { withKeys, type Block } from '../portable-text.js';
import { addressAttribute, idAttribute, textAttribute } from './attributes.js';
import type { BlockConverter, BlockHelpers } from './block-helpers.js';

const columnsBlock = (contents: readonly (readonly Block[])[]): Block => ({
  _type: 'columns',
  columns: withKeys(
    contents.map((content) => ({ _type: 'column', content: withKeys(content) })),
    'c',
  ),
});

/** Columns, and in front of them what the source has beside its columns. */
const convertColumns: BlockConverter = ({ parts }, helpers) => {
  const place = helpers.containerPlace;
  if (!place) return helpers.content();
  const isColumn = (part: string | SourceBlock): part is SourceBlock =>
    typeof part !== 'string' && part.name === 'core/column';
  const contents = parts.filter(isColumn).map((column) => helpers.convertInner(column, place));
  const others = helpers.convertParts(parts.filter((part) => !isColumn(part)));
  return contents.some((content) => content.length > 0) ? [...others, columnsBlock(contents)] : others;
};

/** An old block whose columns are elements. */
const convertTextColumns: BlockConverter = (_, helpers) => {
  const place = helpers.containerPlace;
  if (!place) return helpers.content();
  const { nodes, flow, finish } = helpers.parse();
  const columns = findElements(nodes, (element) => hasClass(element, 'wp-block-column'));
  const contents = columns.map((column) => flow.blocksOf(column.children, place));
  columns.forEach(removeElement);
  if (contents.some((content) => content.length > 0)) flow.push(columnsBlock(contents));
  flow.walk(nodes);
  return finish();
};

/** An image or video beside content. */
const convertMediaText: BlockConverter = (block, helpers) => {
  const place = helpers.containerPlace;
  const id = idAttribute(block, 'mediaId');
  if (!place) return helpers.content({ image: { id } });
  const { nodes, flow, finish } = helpers.parse(place);
  const figure = findElement(nodes, (element) => hasClass(element, 'wp-block-media-text__media'));
  const media = figure ? flow.blocksOf([figure], { image: { id } }) : [];
  if (figure) removeElement(figure);
  flow.walk(nodes);
  const content = finish();
  if (media.length === 0) return content;
  const isRight = block.attributes['mediaPosition'] === 'right';
  return [columnsBlock(isRight ? [content, media] : [media, content])];
};

/** Content over an image, a video or a colour. */
const convertCover: BlockConverter = (block, helpers) => {
  const place = helpers.containerPlace;
  if (!place) return helpers.content();
  const { nodes, flow, finish } = helpers.parse(place);
  const background = takeBackground(block, nodes, helpers);
  flow.walk(nodes);
  const { dimRatio, minHeight, minHeightUnit, align } = block.attributes;
  const overlayColor = textAttribute(block, 'customOverlayColor') ?? textAttribute(block, 'overlayColor');
  const unit = typeof minHeightUnit === 'string' && minHeightUnit !== '' ? minHeightUnit : 'px';
  const alignment = alignmentOf(align);
  return [
    {
      _type: 'cover',
      ...background,
      ...(overlayColor === undefined ? {} : { overlayColor }),
      ...(typeof dimRatio === 'number' ? { overlayOpacity: dimRatio / 100 } : {}),
      ...(typeof minHeight === 'number' ? { minHeight: `${minHeight}${unit}` } : {}),
      ...(alignment === undefined ? {} : { alignment }),
      content: withKeys(finish()),
    },
  ];
};

/** Removes the background from the HTML; in old covers it is a style of the outer element. */
function takeBackground(
  block: SourceBlock,
  nodes: readonly ChildNode[],
  { conversion }: BlockHelpers,
): { backgroundVideo?: string; backgroundImage?: string; alt?: string } {
  const video = findElement(nodes, (element) => hasClass(element, 'wp-block-cover__video-background'));
  const image = findElement(nodes, (element) => hasClass(element, 'wp-block-cover__image-background'));
  const outer = findElement(nodes, (element) => hasClass(element, 'wp-block-cover'));
  if (video) removeElement(video);
  if (image) removeElement(image);
  const attribute = addressAttribute(block, 'url');
  const inHtml = video?.attribs['src'] ?? image?.attribs['src'] ?? backgroundOf(image) ?? backgroundOf(outer);
  const url = conversion.safeFileUrl(inHtml ?? attribute);
  if (url === undefined) return {};
  const isVideo = video !== undefined || block.attributes['backgroundType'] === 'video';
  if (isVideo) return { backgroundVideo: url };
  const alt = image?.attribs['alt']?.trim() ? image.attribs['alt'] : textAttribute(block, 'alt');
  return { backgroundImage: url, ...(alt === undefined ? {} : { alt }) };
}

function backgroundOf(element: Element | undefined): string | undefined {
  const [, url] = /background-image:\s*url\(\s*['"]?([^'")]+)/i.exec(element?.attribs['style'] ?? '') ?? [];
  return url?.trim();
}

/** A break, also where the source has lost its HTML. */
const convertBreak =
  (style: string): BlockConverter =>
  (block, helpers) => {
    const blocks = helpers.content();
    const label = textAttribute(block, 'customText');
    const text = label === undefined ? {} : { text: label };
    return blocks.some(({ _type }) => _type === 'break')
      ? blocks
      : [{ _type: 'break', style, ...text }, ...blocks];
  };

/** Layouts and breaks (contract section 3.2). */
export const layoutBlocks: readonly (readonly [string, BlockConverter])[] = [
  ['core/columns', convertColumns],
  ['core/text-columns', convertTextColumns],
  ['core/media-text', convertMediaText],
  ['core/cover', convertCover],
  ['core/cover-image', convertCover],
  ['core/separator', convertBreak('lineBreak')],
  ['core/more', convertBreak('readMore')],
  ['core/nextpage', convertBreak('pageBreak')],
  ['core/spacer', (_, helpers) => helpers.content()],
];
