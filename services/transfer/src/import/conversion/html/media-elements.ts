import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { htmlBlock, textBlock, textWithAddresses, type Block, type SpanContent } from '../portable-text.js';
import { embedBlock } from './embeds.js';
import { unlessText, type ElementConverter, type Flow } from './flow.js';
import { findElement, hasClass, named } from './html-tree.js';
import { addImage, alignmentOfClasses } from './images.js';
import { addTable } from './table-element.js';

/** Blocks that have a caption. */
const captioned = new Set(['image', 'embed', 'table', 'gallery']);

const isCaption = (node: ChildNode): boolean =>
  isTag(node) && (node.name === 'figcaption' || hasClass(node, 'wp-caption-text'));

/** A figure: its blocks, the last of which has the caption. */
function addFigure(element: Element, flow: Flow): void {
  flow.endText();
  const nodes = element.children.filter((node) => !isCaption(node));
  const alignment = alignmentOfClasses(element);
  const { image } = flow.place;
  const blocks = flow.blocksOf(nodes, alignment === undefined ? {} : { image: { ...image, alignment } });
  const { content, others } = captionOf(element, flow);
  flow.push(withCaption(blocks, content));
  flow.push(others);
}

/** The caption of a figure, empty without one. */
export function captionOf(figure: Element, flow: Flow): { content: SpanContent; others: Block[] } {
  return flow.textOf(figure.children.filter(isCaption));
}

/**
 * Gives a caption to the last block that can have one; otherwise it is a paragraph behind the blocks. A caption is
 * plain text (contract section 3.2), in which links are addresses.
 */
export function withCaption(blocks: readonly Block[], content: SpanContent): Block[] {
  if (content.children.length === 0) return [...blocks];
  const target = blocks.findLastIndex(({ _type, caption }) => captioned.has(_type) && caption === undefined);
  if (target === -1) return [...blocks, textBlock('normal', content)];
  return blocks.map((block, index) =>
    index === target ? { ...block, caption: textWithAddresses(content) } : block,
  );
}

function addDivision(element: Element, flow: Flow): void {
  if (hasClass(element, 'wp-caption') && flow.kind !== 'text') addFigure(element, flow);
  else flow.walkBlock(element);
}

function addFrame(element: Element, flow: Flow): void {
  const url = flow.conversion.safeFileUrl(element.attribs['src']);
  flow.push(embedOrSource(element, url, flow));
}

const embedOrSource = (element: Element, url: string | undefined, flow: Flow): Block =>
  url === undefined ? htmlBlock(flow.sourceOf(element)) : embedBlock(url, fallbackOf(element, flow));

/** The source of an embedded element that has more than addresses: subtitles, or content shown in its place. */
function fallbackOf(element: Element, flow: Flow): { html?: string } {
  const hasMore = element.children.some((node) =>
    isTag(node) ? !addressElements.has(node.name) : isText(node) && node.data.trim() !== '',
  );
  return hasMore ? { html: flow.sourceOf(element) } : {};
}

const addressElements = new Set(['source', 'param', 'embed']);

/** `video` and `audio`: the name of the element is the provider. */
function addPlayer(element: Element, flow: Flow): void {
  const block = playerBlock(element, flow);
  flow.push(block ?? htmlBlock(flow.sourceOf(element)));
}

/** The embed of a video or audio element, by its address or that of its first source. */
export function playerBlock(element: Element, flow: Flow): Block | undefined {
  const source = findElement(element.children, named('source'));
  const url = flow.conversion.safeFileUrl(element.attribs['src'] ?? source?.attribs['src']);
  if (url === undefined) return undefined;
  const poster = flow.conversion.safeFileUrl(element.attribs['poster']);
  return embedBlock(url, {
    provider: element.name,
    ...(poster === undefined ? {} : { poster }),
    ...fallbackOf(element, flow),
  });
}

function addObject(element: Element, flow: Flow): void {
  const isMovie = (each: Element) =>
    each.name === 'param' && ['movie', 'src'].includes(each.attribs['name']?.toLowerCase() ?? '');
  const parameter = findElement(element.children, isMovie)?.attribs['value'];
  const inner = findElement(element.children, named('embed'))?.attribs['src'];
  const url = flow.conversion.safeFileUrl(element.attribs['data'] ?? parameter ?? inner);
  flow.push(embedOrSource(element, url, flow));
}

/** Images, figures, tables and embedded resources (contract section 3.3). */
export const mediaElements: readonly (readonly [string, ElementConverter])[] = [
  ['img', addImage],
  ['figure', unlessText(addFigure)],
  ['div', addDivision],
  ['table', unlessText(addTable)],
  ['iframe', addFrame],
  ['embed', addFrame],
  ['video', addPlayer],
  ['audio', addPlayer],
  ['object', addObject],
];
