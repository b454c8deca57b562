import { isPlainObject } from '../fields/validation-context.js';

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const withoutWords = /^(script|style)\b/i;

/** Properties of blocks with visible text, in all built-in block types; plugins use the same names. */
const wordProperties = new Set([
  'alt',
  'caption',
  'citation',
  'code',
  'description',
  'filename',
  'heading',
  'label',
  'text',
  'title',
]);

/** Properties without visible text: link targets, files, attributes from imports. */
const otherProperties = new Set(['asset', 'markDefs', 'marks', 'originalAttrs']);

/** Deeper blocks are skipped: stored values may be nested deeper than any page shows. */
const maxDepth = 32;

/**
 * The words of rich text, one line for each block, caption, cell and so on; the spans of a block are joined without a
 * separator. Accepts any value.
 */
export function richTextWords(value: unknown): string[] {
  const lines: string[] = [];
  collect(value, lines, 0);
  return lines;
}

function collect(node: unknown, lines: string[], depth: number): void {
  if (depth > maxDepth) return;
  if (Array.isArray(node)) collectList(node, lines, depth);
  else if (isPlainObject(node)) collectProperties(node, lines, depth);
}

function collectList(nodes: readonly unknown[], lines: string[], depth: number): void {
  let spans = '';
  for (const node of nodes) {
    if (isSpan(node)) {
      spans += node.text;
      continue;
    }
    if (spans !== '') lines.push(spans);
    spans = '';
    collect(node, lines, depth + 1);
  }
  if (spans !== '') lines.push(spans);
}

function collectProperties(node: Record<string, unknown>, lines: string[], depth: number): void {
  for (const [name, value] of Object.entries(node)) {
    if (otherProperties.has(name)) continue;
    if (typeof value !== 'string') collect(value, lines, depth + 1);
    else if (wordProperties.has(name)) lines.push(value);
    else if (name === 'html') lines.push(textOfHtml(value));
  }
}

const isSpan = (node: unknown): node is { text: string } =>
  isPlainObject(node) && node['_type'] === 'span' && typeof node['text'] === 'string';

/** The text of HTML without tags, for search and not for display. Takes linear time for any input. */
function textOfHtml(html: string): string {
  const [before = '', ...tags] = html.split('<');
  const words = tags.map((tag) => (withoutWords.test(tag) ? '' : tag.slice(tag.indexOf('>') + 1)));
  const text = [before, ...words].join(' ');
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ').trim();
}
