import { isTag, type ChildNode, type Element } from 'domhandler';
import {
  emptyContent,
  textBlock,
  textWithAddresses,
  withKeys,
  type Block,
  type SpanContent,
} from '../portable-text.js';
import type { Flow } from './flow.js';

interface TableContent {
  rows: Block[];
  hasHead: boolean;
  hasText: boolean;
  caption: SpanContent | undefined;
  /** Blocks of cells that are no text, which follow the table. */
  others: Block[][];
}

/** A table with the rows of head, body and foot (contract section 3.2). One without text is nothing. */
export function addTable(element: Element, flow: Flow): void {
  flow.endText();
  const table: TableContent = { rows: [], hasHead: false, hasText: false, caption: undefined, others: [] };
  const feet: Element[] = [];
  for (const node of element.children) {
    if (isTag(node) && node.name === 'tfoot') feet.push(node);
    else addTablePart(node, table, flow);
  }
  for (const foot of feet) addTablePart(foot, table, flow);
  flow.push(blocksOfTable(table));
  for (const blocks of table.others) flow.push(blocks);
}

function blocksOfTable({ rows, hasHead, hasText, caption }: TableContent): Block[] {
  if (!hasText) return caption ? [textBlock('normal', caption)] : [];
  const hasHeaderRow = hasHead || isHeaderRow(rows[0]);
  return [
    {
      ...{ _type: 'table', rows: withKeys(rows, 'r'), hasHeaderRow },
      ...(caption ? { caption: textWithAddresses(caption) } : {}),
    },
  ];
}

const isHeaderRow = (row: Block | undefined): boolean =>
  (row?.['cells'] as Block[] | undefined)?.every((cell) => cell['isHeader'] === true) ?? false;

function addTablePart(node: ChildNode, table: TableContent, flow: Flow): void {
  if (!isTag(node)) {
    table.others.push(flow.blocksOf([node]));
  } else if (node.name === 'tr') {
    addRow(node, table, flow, false);
  } else if (['thead', 'tbody', 'tfoot'].includes(node.name)) {
    const isHead = node.name === 'thead';
    for (const child of node.children) {
      if (isTag(child) && child.name === 'tr') addRow(child, table, flow, isHead);
      else table.others.push(flow.blocksOf([child]));
    }
  } else if (node.name === 'caption') {
    const { content, others } = flow.textOf(node.children);
    if (content.children.length > 0) table.caption = content;
    table.others.push(others);
  } else {
    table.others.push(flow.blocksOf([node]));
  }
}

function addRow(row: Element, table: TableContent, flow: Flow, isHead: boolean): void {
  const cells: Block[] = [];
  for (const node of row.children) {
    if (isTag(node) && ['td', 'th'].includes(node.name)) {
      const { content, others } = flow.textOf(node.children);
      table.hasText ||= content.children.length > 0;
      cells.push(cellBlock(node, content, isHead || node.name === 'th'));
      table.others.push(others);
    } else {
      table.others.push(flow.blocksOf([node]));
    }
  }
  if (cells.length === 0) return;
  table.hasHead ||= isHead;
  table.rows.push({ _type: 'tableRow', cells: withKeys(cells, 'c') });
}

function cellBlock(
  cell: Element,
  { children, markDefs }: ReturnType<Flow['textOf']>['content'],
  isHeader: boolean,
): Block {
  return {
    _type: 'tableCell',
    content: children.length > 0 ? children : emptyContent().children,
    ...(markDefs.length > 0 ? { markDefs } : {}),
    ...(isHeader ? { isHeader } : {}),
    ...spanOf(cell, 'colspan'),
    ...spanOf(cell, 'rowspan'),
  };
}

/** Spans of HTML are limited to these numbers. */
const maxSpan = { colspan: 1_000, rowspan: 65_534 } as const;

function spanOf(cell: Element, name: keyof typeof maxSpan): Record<string, number> {
  const span = Number.parseInt(cell.attribs[name] ?? '', 10);
  return span > 1 ? { [name]: Math.min(span, maxSpan[name]) } : {};
}
