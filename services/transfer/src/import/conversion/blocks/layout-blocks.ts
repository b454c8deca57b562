import { removeElement } from 'domutils';
import type { ChildNode, Element } from 'domhandler';
import type { SourceBlock } from '../block-tree.js';
import { classesOf, findElement, findElements, hasClass, named } from '../html/html-tree.js';
import { alignmentOf } from '../html/images.js';
import { textOfSpans, withKeys, type Block } from '../portable-text.js';
import { idAttribute, textAttribute } from './attributes.js';
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
): { backgroundVideo?: string; backgroundImage?: string } {
  const video = findElement(nodes, (element) => hasClass(element, 'wp-block-cover__video-background'));
  const image = findElement(nodes, (element) => hasClass(element, 'wp-block-cover__image-background'));
  const outer = findElement(nodes, (element) => hasClass(element, 'wp-block-cover'));
  if (video) removeElement(video);
  if (image) removeElement(image);
  const attribute = textAttribute(block, 'url');
  const inHtml = video?.attribs['src'] ?? image?.attribs['src'] ?? backgroundOf(image) ?? backgroundOf(outer);
  const url = conversion.safeFileUrl(inHtml ?? attribute);
  if (url === undefined) return {};
  const isVideo = video !== undefined || block.attributes['backgroundType'] === 'video';
  return isVideo ? { backgroundVideo: url } : { backgroundImage: url };
}

function backgroundOf(element: Element | undefined): string | undefined {
  const [, url] = /background-image:\s*url\(\s*['"]?([^'")]+)/i.exec(element?.attribs['style'] ?? '') ?? [];
  return url?.trim();
}

/** A group of buttons, and in front of it what the source has beside its buttons. */
const convertButtons: BlockConverter = ({ parts, attributes }, helpers) => {
  const isButton = (part: string | SourceBlock): part is SourceBlock =>
    typeof part !== 'string' && part.name === 'core/button';
  const converted = parts.filter(isButton).flatMap((button) => helpers.convertInner(button));
  const buttons = converted.flatMap((block) =>
    block._type === 'buttons' ? (block['buttons'] as Block[]) : [],
  );
  const others = [
    ...converted.filter(({ _type }) => _type !== 'buttons'),
    ...helpers.convertParts(parts.filter((part) => !isButton(part))),
  ];
  const layout = attributes['layout'];
  const orientation = isObject(layout) ? layout['orientation'] : attributes['orientation'];
  if (buttons.length === 0) return others;
  return [...others, buttonsBlock(buttons, orientation === 'vertical' ? 'vertical' : 'horizontal')];
};

const buttonsBlock = (buttons: readonly Block[], layout: 'horizontal' | 'vertical'): Block => ({
  _type: 'buttons',
  buttons: buttons.map(({ _type, _key: _, ...button }, index) => ({ _type, _key: `b${index}`, ...button })),
  layout,
});

/** A button outside of a group is a group of one. Its address is in the HTML. */
const convertButton: BlockConverter = (block, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const link = findElement(nodes, named('a', 'button'));
  const { content, others } = flow.textOf(link?.children ?? []);
  const url = helpers.conversion.safeUrl(link?.attribs['href']);
  const style = styleOf(block, nodes);
  if (link) removeElement(link);
  const text = textOfSpans(content);
  if (text !== '' || url !== undefined) {
    const button = { _type: 'button', text, ...(url === undefined ? {} : { url }), style };
    flow.push(buttonsBlock([button], 'horizontal'));
  }
  flow.push(others);
  flow.walk(nodes);
  return finish();
};

function styleOf(block: SourceBlock, nodes: readonly ChildNode[]): 'default' | 'outline' | 'fill' {
  const outer = findElement(nodes, (element) => hasClass(element, 'wp-block-button'));
  const classes = [
    ...(textAttribute(block, 'className')?.split(/\s+/) ?? []),
    ...(outer ? classesOf(outer) : []),
  ];
  if (classes.includes('is-style-outline')) return 'outline';
  return classes.includes('is-style-fill') ? 'fill' : 'default';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

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

/** Layouts, buttons and breaks (contract section 3.2). */
export const layoutBlocks: readonly (readonly [string, BlockConverter])[] = [
  ['core/columns', convertColumns],
  ['core/text-columns', convertTextColumns],
  ['core/media-text', convertMediaText],
  ['core/cover', convertCover],
  ['core/cover-image', convertCover],
  ['core/buttons', convertButtons],
  ['core/button', convertButton],
  ['core/separator', convertBreak('lineBreak')],
  ['core/more', convertBreak('readMore')],
  ['core/nextpage', convertBreak('pageBreak')],
  ['core/spacer', (_, helpers) => helpers.content()],
];
