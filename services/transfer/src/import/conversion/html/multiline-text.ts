import { isTag, isText, type ChildNode } from 'domhandler';
import { parseHtml, withEndedComments } from './html-tree.js';
import { trimWhitespace } from './text-builder.js';

/** Elements that are no text. */
const hidden = new Set([
  'script',
  'style',
  'template',
  'title',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'svg',
]);
const lines = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'caption', 'center', 'dd', 'details', 'div', 'dl', 'dt'],
  ...[
    'fieldset',
    'figcaption',
    'figure',
    'footer',
    'form',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'hr',
    'li',
  ],
  ...['main', 'nav', 'ol', 'option', 'p', 'pre', 'section', 'summary', 'table', 'tr', 'ul'],
]);
const cells = new Set(['td', 'th']);

/**
 * The text of HTML, for excerpts and comments (contract sections 2.2 and 2.7): entities decoded once, tags left out.
 * Line ends of the source stay; `br` and elements that begin a line are line ends; there are no more than two in a row.
 */
export function multilineText(html: string): string {
  const parts: string[] = [];
  collect(parseHtml(withEndedComments(html)), parts);
  const kept: string[] = [];
  for (const line of parts.join('').split(/\r\n?|\n/)) {
    const text = trimWhitespace(line);
    if (text !== '' || (kept.length > 0 && kept.at(-1) !== '')) kept.push(text);
  }
  return kept.join('\n').trimEnd();
}

function collect(nodes: readonly ChildNode[], parts: string[]): void {
  for (const node of nodes) {
    if (isText(node)) {
      parts.push(node.data);
    } else if (isTag(node) && node.name === 'br') {
      // The line end of the source behind a `br` belongs to it.
      parts.push(isLineEnd(node.next) ? '' : '\n');
    } else if (isTag(node) && !hidden.has(node.name)) {
      beginLine(node.name, parts);
      collect(node.children, parts);
      beginLine(node.name, parts);
    }
  }
}

const isLineEnd = (node: ChildNode | null): boolean =>
  node !== null && isText(node) && /^[ \t]*\r?\n/.test(node.data);

/** Ends the line, unless it is empty. */
function beginLine(name: string, parts: string[]): void {
  if (cells.has(name)) parts.push(' ');
  else if (lines.has(name) && parts.findLast((part) => part !== '')?.endsWith('\n') === false)
    parts.push('\n');
}
