import { Parser } from 'htmlparser2';

const tags = /<\/?[A-Za-z][^<>]*>/g;
const blockTags =
  /<\/?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|pre|blockquote|figure|figcaption|table|tr|td|th)(?![\w-])[^<>]*>/gi;
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/;
const control = /\p{Cc}/gu;
const untitled = 'Untitled';

/**
 * The title of an item as plain text (2.2). Emoji sequences, combining marks and right-to-left text stay.
 * @param raw the title as decoded from XML
 * @returns the title, `Untitled` if nothing is left; `isChanged` if references, tags or control characters were in it
 *   (warning TITLE_FIXED); an empty title does not count as changed
 */
export function cleanTitle(raw: string): { title: string; isChanged: boolean } {
  const title = plainText(raw);
  return { title: title === '' ? untitled : title, isChanged: title !== raw.trim() };
}

/**
 * The text of a label that may contain HTML: tags are left out, then references are decoded once, so an escaped tag
 * remains as text. Line breaks, tabs and the limits of blocks become one space; other control characters are left out.
 * @returns the trimmed text
 */
export function plainText(html: string): string {
  const text = decodeReferences(withoutComments(html).replace(blockTags, '\n').replace(tags, ''));
  const lines = text.split(lineBreaks).map((line) => line.replace(control, '').trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** Without a regular expression: the time must not grow with the square of the comments that have no end. */
function withoutComments(html: string): string {
  let text = '';
  let position = 0;
  for (let start = html.indexOf('<!--'); start !== -1; start = html.indexOf('<!--', position)) {
    const end = html.indexOf('-->', start);
    if (end === -1) break;
    text += html.slice(position, start);
    position = end + '-->'.length;
  }
  return text + html.slice(position);
}

/** Decodes the character references of HTML, once. */
function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  let decoded = '';
  const parser = new Parser({ ontext: (part) => (decoded += part) });
  parser.end(text.replaceAll('<', '&lt;'));
  // A numeric reference to half of a pair cannot be stored.
  return decoded.replace(/\p{Surrogate}/gu, '\ufffd');
}
