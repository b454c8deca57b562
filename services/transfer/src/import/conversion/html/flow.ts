import { isComment, isTag, isText, type ChildNode, type Element } from 'domhandler';
import type { Conversion } from '../conversion-context.js';
import { textBlock, type Block, type SpanContent } from '../portable-text.js';
import type { Fragment, Place } from './fragment.js';
import { embedBlock } from './embeds.js';
import { splitAtAddresses } from './address-lines.js';
import { TextBuilder, type Mark } from './text-builder.js';

/**
 * What a flow makes of its content: `blocks`, the text of one list `item` with the blocks inside it, or one `text` with
 * a line for each block of the source.
 */
export type FlowKind = 'blocks' | 'item' | 'text';

/** Converts one kind of element. */
export type ElementConverter = (element: Element, flow: Flow) => void;

/** A blank line, as between the paragraphs of classic text. */
const blankLine = /\n[ \t\f\r]*\n[ \t\f\r\n]*/;

/**
 * Converts nodes of HTML in their order. Text is collected until a block begins or ends; elements without a converter
 * are dropped and their content is kept.
 */
export class Flow {
  private readonly blocks: Block[] = [];
  readonly text = new TextBuilder();
  marks: readonly Mark[] = [];

  constructor(
    readonly conversion: Conversion,
    readonly fragment: Fragment,
    readonly converters: ReadonlyMap<string, ElementConverter>,
    public place: Place,
    readonly kind: FlowKind = 'blocks',
  ) {}

  walk(nodes: readonly ChildNode[]): void {
    for (const node of nodes) this.visit(node);
  }

  visit(node: ChildNode): void {
    if (isText(node)) this.addText(node.data);
    else if (isTag(node)) this.visitElement(node);
    else if (isComment(node)) this.visitComment(node);
    // A CDATA section of embedded SVG has text inside.
    else if ('children' in node) this.walk(node.children);
  }

  private visitElement(element: Element): void {
    this.conversion.elementDepth += 1;
    const convert = this.converters.get(element.name);
    if (convert) convert(element, this);
    else this.walk(element.children);
    this.conversion.elementDepth -= 1;
  }

  private visitComment(node: ChildNode & { data: string }): void {
    const insert = this.fragment.insertAt(node);
    if (insert) this.push(insert.convert(this.place));
    else this.push(breakOfComment(node.data));
  }

  private addText(data: string): void {
    if (!this.place.isClassic) {
      this.text.add(data, this.marks);
      return;
    }
    const [first = '', ...paragraphs] = data.includes('\n') ? data.split(blankLine) : [data];
    this.text.add(first, this.marks, 'break');
    for (const paragraph of paragraphs) {
      this.endParagraph();
      this.text.add(paragraph, this.marks, 'break');
    }
  }

  /** Converts the content of an element with one more mark. */
  walkMarked(element: Element, mark: Mark): void {
    const { marks } = this;
    const isKnown = typeof mark === 'string' && marks.includes(mark);
    if (!isKnown) this.marks = [...marks, mark];
    this.walk(element.children);
    this.marks = marks;
  }

  /** Converts the content of an element as paragraphs of their own. */
  walkBlock(element: Element): void {
    this.endParagraph();
    this.walk(element.children);
    this.endParagraph();
  }

  /** Ends a paragraph: in an item and in a text it is a line. */
  endParagraph(): void {
    if (this.kind === 'blocks') this.endText();
    else this.text.endLine(this.marks);
  }

  /** Ends the collected text, because a block of another kind follows. */
  endText(): void {
    if (this.kind === 'text') {
      this.text.endLine(this.marks);
      return;
    }
    const content = this.text.take();
    if (content) for (const block of this.blocksOfText(content)) this.blocks.push(block);
  }

  /** Adds blocks behind the text so far. A text collects them; its owner puts them behind it. */
  push(added: Block | readonly Block[]): void {
    const blocks = isList(added) ? added : [added];
    if (blocks.length === 0) return;
    this.endText();
    // Without the limit of arguments: a body may have any number of blocks.
    for (const block of blocks) this.blocks.push(block);
  }

  /** The blocks of nodes, converted apart from this flow. */
  blocksOf(nodes: readonly ChildNode[], place: Partial<Place> = {}, kind: FlowKind = 'blocks'): Block[] {
    const flow = this.inner(kind, place);
    flow.walk(nodes);
    return flow.finish();
  }

  /** The text of nodes, a line for each block in it, and the blocks that are no text. */
  textOf(nodes: readonly ChildNode[]): { content: SpanContent; others: Block[] } {
    const flow = this.inner('text', {});
    flow.walk(nodes);
    const content = flow.text.take() ?? { children: [], markDefs: [] };
    return { content, others: flow.blocks };
  }

  /** The source of a node, with the blocks in it. */
  sourceOf(node: ChildNode): string {
    return this.fragment.sourceOf(node);
  }

  /** @returns all blocks; the flow ends. */
  finish(): Block[] {
    this.endText();
    return this.blocks;
  }

  private inner(kind: FlowKind, place: Partial<Place>): Flow {
    const flow = new Flow(this.conversion, this.fragment, this.converters, { ...this.place, ...place }, kind);
    flow.marks = this.marks;
    return flow;
  }

  private blocksOfText(content: SpanContent): Block[] {
    const { style, list, isClassic } = this.place;
    if (this.kind === 'item' && list) return [itemBlock(content, list)];
    const parts = isClassic ? splitAtAddresses(content) : [content];
    return parts.map((part) => (typeof part === 'string' ? embedBlock(part) : textBlock(style, part)));
  }
}

const isList = (value: Block | readonly Block[]): value is readonly Block[] => Array.isArray(value);

/** The block of a list item (contract section 3.2). */
export function itemBlock(
  { children, markDefs }: SpanContent,
  { listItem, level }: NonNullable<Place['list']>,
): Block {
  return { _type: 'block', style: 'normal', listItem, level, children, markDefs };
}

/** A converter of an element that is only a line in a text. */
export const unlessText =
  (convert: ElementConverter): ElementConverter =>
  (element, flow) => {
    if (flow.kind === 'text') flow.walkBlock(element);
    else convert(element, flow);
  };

/** The breaks that comments of the source represent; other comments have no meaning. */
function breakOfComment(data: string): Block[] {
  const comment = data.trim();
  if (comment === 'nextpage') return [{ _type: 'break', style: 'pageBreak' }];
  if (!/^more(?:\s|$)/.test(comment)) return [];
  const label = comment.slice('more'.length).trim();
  return [{ _type: 'break', style: 'readMore', ...(label === '' ? {} : { text: label }) }];
}
