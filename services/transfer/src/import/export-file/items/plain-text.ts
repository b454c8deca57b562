import { Parser } from 'htmlparser2';

const markup = /<!--[\s\S]*?-->|<\/?[A-Za-z][^<>]*>/g;
const whiteSpace = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const control = /\p{Cc}/gu;

/**
 * The text of a label that may contain HTML: tags are left out, then references are decoded once, so an escaped tag
 * remains as text. Line breaks and tabs become one space; other control characters are left out.
 * @returns the trimmed text
 */
export function plainText(html: string): string {
  const text = decodeReferences(html.replace(markup, ''));
  return text.replace(whiteSpace, ' ').replace(control, '').trim();
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
