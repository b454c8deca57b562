import { innerText } from 'domutils';
import { parseDocument } from 'htmlparser2';

/** Characters of HTML that are read at most, per character of the result. */
const htmlFactor = 10;
/** Control and format characters, which change how other text is shown, and unpaired surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]+/gu;

/**
 * Turns HTML of another site into a line of plain text: without tags, scripts and control characters, entities decoded.
 * @param maxLength in characters; a longer text is cut and ends with an ellipsis
 */
export function plainText(html: string, maxLength: number): string {
  const text = textOf(html.slice(0, maxLength * htmlFactor))
    .replace(unprintable, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Decoded entities may spell tags; the second pass removes those. */
function textOf(html: string): string {
  const once = withoutTags(html);
  return once.includes('<') ? withoutTags(once) : once;
}

function withoutTags(html: string): string {
  return innerText(parseDocument(html).children);
}
