import type { List, ListItem, Paragraph, RootContent, TableRow } from 'mdast';
import { parseBlockComment, toBlockComment } from './block-comment.js';
import { markdownProblem } from './markdown-limits.js';
import { parseMarkdown, writeMarkdown } from './markdown-syntax.js';
import {
  hasOnly,
  isBlock,
  isOptionalText,
  isRecord,
  type Block,
  type SpanContent,
} from './rich-text-block.js';
import { isMarkdownText, toPhrasing } from './spans-to-markdown.js';

/** A text block that Markdown can represent. */
interface TextBlock extends SpanContent {
  style?: string;
  listItem?: 'bullet' | 'number';
  level?: number;
}

/**
 * Converts rich text to Markdown. A block that Markdown cannot represent is an HTML comment with its JSON: from
 * `fromMarkdown` the same block results. Empty paragraphs are left out.
 * @param blocks a stored value
 */
export function toMarkdown(blocks: readonly unknown[]): string {
  const children: RootContent[] = [];
  const shown = blocks.filter((block) => isBlock(block) && !isEmptyParagraph(block)) as Block[];
  let index = 0;
  while (index < shown.length) {
    const run = runOfTexts(shown, index);
    const [first] = run;
    const block = shown[index];
    if (first?.listItem) children.push(...listsOf(run));
    else if (first?.style === 'blockquote')
      children.push({ type: 'blockquote', children: run.map(paragraph) });
    else if (first) children.push(textNode(first));
    else if (block) children.push(nodeOf(block));
    index += Math.max(1, run.length);
  }
  return writeMarkdown({ type: 'root', children });
}

/** The text blocks from an index that are one Markdown block: the items of a list, or a quotation. */
function runOfTexts(blocks: readonly Block[], start: number): TextBlock[] {
  const kindOf = ({ listItem, style }: TextBlock) => (listItem ? 'list' : style);
  const run: TextBlock[] = [];
  for (const block of blocks.slice(start)) {
    if (!isTextBlock(block)) break;
    const [first] = run;
    const continues = first?.listItem !== undefined || first?.style === 'blockquote';
    if (first && (!continues || kindOf(first) !== kindOf(block))) break;
    run.push(block);
  }
  return run;
}

const textStyles = new Set(['normal', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

function isTextBlock(block: Block): block is Block & TextBlock {
  const { _type, style = 'normal', listItem, level } = block;
  const names = ['_type', '_key', 'style', 'listItem', 'level', 'children', 'markDefs'];
  if (_type !== 'block' || !hasOnly(block, names) || typeof style !== 'string') return false;
  if (level !== undefined && typeof level !== 'number') return false;
  const hasStyle = textStyles.has(style) || (style === 'blockquote' && listItem === undefined);
  const isItem = listItem === undefined || listItem === 'bullet' || listItem === 'number';
  return hasStyle && isItem && isMarkdownText(block);
}

const isEmptyParagraph = (block: Block): boolean =>
  isTextBlock(block) && block.listItem === undefined && toPhrasing(block).length === 0;

const paragraph = (block: TextBlock): Paragraph => ({ type: 'paragraph', children: toPhrasing(block) });

function textNode(block: TextBlock): RootContent & (Paragraph | { type: 'heading' }) {
  const [, depth] = /^h([1-6])$/.exec(block.style ?? '') ?? [];
  if (depth === undefined) return paragraph(block);
  return { type: 'heading', depth: Number(depth) as 1, children: toPhrasing(block) };
}

/** Nests items by their level; another kind of item on a level begins another list. */
function listsOf(items: readonly TextBlock[]): List[] {
  const lists: List[] = [];
  let index = 0;
  while (index < items.length) {
    const item = items[index];
    if (!item) break;
    const nested = itemsBelow(items, index + 1, levelOf(item));
    const ordered = item.listItem === 'number';
    let list = lists.at(-1);
    if (list?.ordered !== ordered) {
      list = { type: 'list', ordered, spread: false, children: [] };
      lists.push(list);
    }
    list.children.push(listItem(item, nested));
    index += 1 + nested.length;
  }
  return lists;
}

function listItem(item: TextBlock, nested: readonly TextBlock[]): ListItem {
  const text = toPhrasing(item);
  return {
    type: 'listItem',
    spread: false,
    children: [...(text.length > 0 ? [textNode(item)] : []), ...listsOf(nested)],
  };
}

/** Deeper levels are written as this one. */
const maxLevel = 10;

const levelOf = ({ level = 1 }: TextBlock) => Math.min(level, maxLevel);

function itemsBelow(items: readonly TextBlock[], start: number, level: number): TextBlock[] {
  const end = items.findIndex((item, index) => index >= start && levelOf(item) <= level);
  return items.slice(start, end === -1 ? undefined : end);
}

function nodeOf(block: Block): RootContent {
  return (
    codeNode(block) ??
    imageNode(block) ??
    tableNode(block) ??
    htmlNode(block) ??
    breakNode(block) ??
    commentNode(block)
  );
}

const commentNode = (block: Block): RootContent => ({ type: 'html', value: toBlockComment(block) });

function codeNode(block: Block): RootContent | undefined {
  const { _type, code, language, meta } = block;
  if (_type !== 'code' || !hasOnly(block, ['_type', '_key', 'code', 'language', 'meta'])) return undefined;
  if (typeof code !== 'string' || !isOptionalText(language) || !isOptionalText(meta)) return undefined;
  if (meta !== undefined && !language) return undefined;
  return { type: 'code', value: code, lang: language ?? null, meta: meta ?? null };
}

function breakNode(block: Block): RootContent | undefined {
  const isRule = block._type === 'break' && block['style'] === 'lineBreak';
  return isRule && hasOnly(block, ['_type', '_key', 'style']) ? { type: 'thematicBreak' } : undefined;
}

/** Only an image that its address identifies: of one in the media library Markdown would lose the id. */
function imageNode(block: Block): RootContent | undefined {
  const { _type, asset, alt, caption } = block;
  if (_type !== 'image' || !hasOnly(block, ['_type', '_key', 'asset', 'alt', 'caption'])) return undefined;
  if (!isRecord(asset) || !hasOnly(asset, ['_type', '_ref', 'url']) || asset['_type'] !== 'reference')
    return undefined;
  const { url } = asset;
  if (typeof url !== 'string' || url === '' || asset['_ref'] !== url) return undefined;
  if (typeof alt !== 'string' || alt.includes('\n') || !isOptionalText(caption) || caption === '')
    return undefined;
  const image = { type: 'image' as const, url, alt, title: caption ?? null };
  return { type: 'paragraph', children: [image] };
}

/** HTML that Markdown reads as one piece. */
function htmlNode(block: Block): RootContent | undefined {
  const { _type, html } = block;
  if (_type !== 'htmlBlock' || !hasOnly(block, ['_type', '_key', 'html']) || typeof html !== 'string')
    return undefined;
  if (markdownProblem(html) !== undefined || parseBlockComment(html) || html.trim() === '<!---->')
    return undefined;
  const [node, ...others] = parseMarkdown(html).children;
  const isWhole = others.length === 0 && node?.type === 'html' && node.value === html;
  return isWhole ? node : undefined;
}

function tableNode(block: Block): RootContent | undefined {
  const { _type, rows, hasHeaderRow } = block;
  if (_type !== 'table' || !hasOnly(block, ['_type', '_key', 'rows', 'hasHeaderRow'])) return undefined;
  if (hasHeaderRow !== true || !Array.isArray(rows) || rows.length === 0) return undefined;
  const children = rows.map((row: unknown, index) => tableRow(row, index === 0));
  const width = children[0]?.children.length;
  const isRegular = (row: TableRow | undefined): row is TableRow => row?.children.length === width;
  if (!width || !children.every(isRegular)) return undefined;
  return { type: 'table', align: [], children };
}

function tableRow(row: unknown, isFirst: boolean): TableRow | undefined {
  if (!isRecord(row) || !hasOnly(row, ['_type', '_key', 'cells']) || row['_type'] !== 'tableRow')
    return undefined;
  const { cells } = row;
  if (!Array.isArray(cells) || !cells.every((cell) => isTableCell(cell, isFirst))) return undefined;
  const content = cells.map(({ content: children, markDefs = [] }) => toPhrasing({ children, markDefs }));
  return { type: 'tableRow', children: content.map((children) => ({ type: 'tableCell', children })) };
}

function isTableCell(
  cell: unknown,
  isFirst: boolean,
): cell is { content: SpanContent['children']; markDefs?: SpanContent['markDefs'] } {
  if (!isRecord(cell) || !hasOnly(cell, ['_type', '_key', 'content', 'markDefs', 'isHeader'])) return false;
  const { _type, content, markDefs, isHeader = false } = cell;
  if (_type !== 'tableCell' || isHeader !== isFirst) return false;
  // A cell is one line.
  return isMarkdownText({ children: content, markDefs }) && !JSON.stringify(content).includes('\\n');
}
