import { isTag, type ChildNode, type Element } from 'domhandler';
import { emptyContent, textBlock, textOfSpans, withKeys, type Block } from '../portable-text.js';
import type { Flow } from './flow.js';

interface TableContent {
  rows: Block[];
  hasHead: boolean;
  caption: string;
  /** Blocks of cells that are no text, which follow the table. */
  others: Block[][];
}

/** A table with the rows of head, body and foot (contract section 3.2). One without cells is nothing. */
export function addTable(element: Element, flow: Flow): void {
  flow.endText();
  const table: TableContent = { rows: [], hasHead: false, caption: '', others: [] };
  const feet: Element[] = [];
  for (const node of element.children) {
    if (isTag(node) && node.name === 'tfoot') feet.push(node);
    else addTablePart(node, table, flow);
  }
  for (const foot of feet) addTablePart(foot, table, flow);
  flow.push(blocksOfTable(table));
  for (const blocks of table.others) flow.push(blocks);
}

function blocksOfTable({ rows, hasHead, caption }: TableContent): Block[] {
  if (rows.length === 0) {
    const children = [{ _type: 'span' as const, _key: 's0', text: caption, marks: [] }];
    return caption === '' ? [] : [textBlock('normal', { children, markDefs: [] })];
  }
  const hasHeaderRow = hasHead || isHeaderRow(rows[0]);
  return [
    { _type: 'table', rows: withKeys(rows, 'r'), hasHeaderRow, ...(caption === '' ? {} : { caption }) },
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
    table.caption = textOfSpans(content);
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
