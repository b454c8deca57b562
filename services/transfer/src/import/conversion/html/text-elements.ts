import { isComment, isTag, isText, type ChildNode, type Element } from 'domhandler';
import {
  emptyContent,
  textBlock,
  textOfSpans,
  type Block,
  type Span,
  type SpanContent,
} from '../portable-text.js';
import type { Place } from './fragment.js';
import { itemBlock, unlessText, type ElementConverter, type Flow } from './flow.js';
import { textOf } from './html-tree.js';

const paragraphs = [
  ...['address', 'article', 'aside', 'body', 'center', 'dd', 'details', 'dialog', 'dir', 'div', 'dl', 'dt'],
  ...['fieldset', 'header', 'hgroup', 'html', 'legend', 'main', 'menu', 'nav', 'noscript'],
  ...['optgroup', 'option', 'p', 'search', 'section', 'summary'],
  // Without a table or a figure around.
  ...['caption', 'figcaption', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
];

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

function addHeading(element: Element, flow: Flow): void {
  const { place } = flow;
  flow.endParagraph();
  flow.place = { ...place, style: place.headingStyle ?? element.name };
  flow.walk(element.children);
  flow.endParagraph();
  flow.place = place;
}

/** A list: each item is one block; lists inside are one level deeper. */
function addList(element: Element, flow: Flow): void {
  flow.endText();
  const listItem = element.name === 'ol' ? 'number' : 'bullet';
  const list = { listItem, level: (flow.place.list?.level ?? 0) + 1 } as const;
  for (const node of element.children) addListChild(node, flow, list);
}

function addListChild(node: ChildNode, flow: Flow, list: NonNullable<Place['list']>): void {
  if (isText(node) && node.data.trim() === '') return;
  if (isTag(node) && node.name === 'li') {
    flow.push(blocksOfItem(node.children, flow, list));
  } else if (isComment(node) || (isTag(node) && ['ul', 'ol'].includes(node.name))) {
    // The list around is the place of items that are inner blocks, and of lists that no item contains.
    flow.push(flow.blocksOf([node], { list }));
  } else {
    flow.push(flow.blocksOf([node], { list }, 'item'));
  }
}

function addItem(element: Element, flow: Flow): void {
  flow.push(blocksOfItem(element.children, flow, flow.place.list ?? { listItem: 'bullet', level: 1 }));
}

/** An item without text is a block too: it counts in a numbered list, and holds the lists inside. */
function blocksOfItem(nodes: readonly ChildNode[], flow: Flow, list: NonNullable<Place['list']>): Block[] {
  const blocks = flow.blocksOf(nodes, { list }, 'item');
  const [first] = blocks;
  const isNested = first?.['listItem'] !== undefined && Number(first['level']) > list.level;
  return first && !isNested ? blocks : [itemBlock(emptyContent(), list), ...blocks];
}

function addQuote(element: Element, flow: Flow): void {
  flow.push(flow.blocksOf(element.children, { style: 'blockquote', list: undefined }));
}

/** The source of a quote is a paragraph behind it; a cited title inside a sentence is text. */
function addCite(element: Element, flow: Flow): void {
  if (flow.place.style !== 'blockquote' || flow.kind !== 'blocks' || !isSourceOfQuote(element)) {
    flow.walk(element.children);
    return;
  }
  addSourceOfQuote(element, flow);
}

/** The footer of a quote is its source, with a cited title in it. */
function addFooter(element: Element, flow: Flow): void {
  const { parent } = element;
  const isOfQuote = parent !== null && isTag(parent) && parent.name === 'blockquote';
  if (isOfQuote && flow.place.style === 'blockquote' && flow.kind === 'blocks')
    addSourceOfQuote(element, flow);
  else flow.walkBlock(element);
}

function addSourceOfQuote(element: Element, flow: Flow): void {
  flow.endText();
  const { content, others } = flow.textOf(element.children);
  if (content.children.length > 0) flow.push(textBlock('normal', withDash(content)));
  flow.push(others);
}

function isSourceOfQuote({ parent, prev, next }: Element): boolean {
  if (!parent || !isTag(parent) || parent.name === 'blockquote') return true;
  const isLast = next === null || (isText(next) && next.data.trim() === '' && next.next === null);
  const isOfLine = prev === null || (isTag(prev) && prev.name === 'br') || textOf(prev).trim() === '';
  return ['p', 'div'].includes(parent.name) && isLast && isOfLine;
}

function withDash(content: SpanContent): SpanContent {
  if (/^[\u2012-\u2015-]/.test(textOfSpans(content))) return content;
  const [first, ...others] = content.children;
  const spans: Omit<Span, '_key'>[] =
    first?.marks.length === 0
      ? [{ ...first, text: `— ${first.text}` }, ...others]
      : [{ _type: 'span', text: '— ', marks: [] }, ...content.children];
  const children = spans.map(({ text, marks }, index): Span => ({
    _type: 'span',
    _key: `s${index}`,
    text,
    marks,
  }));
  return { ...content, children };
}

/** Paragraphs, headings, lists and quotes (contract sections 3.2 and 3.3). */
export const textElements: readonly (readonly [string, ElementConverter])[] = [
  ...paragraphs.map((name) => [name, (element: Element, flow: Flow) => flow.walkBlock(element)] as const),
  ...headings.map((name) => [name, addHeading] as const),
  ['ul', unlessText(addList)],
  ['ol', unlessText(addList)],
  ['li', unlessText(addItem)],
  ['blockquote', unlessText(addQuote)],
  ['cite', addCite],
  ['footer', addFooter],
  ['hr', (_, flow) => flow.push({ _type: 'break', style: 'lineBreak' })],
];
