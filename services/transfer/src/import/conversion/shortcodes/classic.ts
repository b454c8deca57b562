import type { Conversion } from '../conversion-context.js';
import { convertFragment } from '../html/convert-fragment.js';
import { Fragment, type Insert, type Place } from '../html/fragment.js';
import { htmlBlock, type Block } from '../portable-text.js';
import { shortcodeConverter } from './shortcode-converters.js';
import { scanShortcodes } from './shortcode-scanner.js';
import type { Shortcode } from './shortcode.js';

/** The name that blocks with the source of a shortcode state as their origin. */
export const shortcodeBlockName = 'core/shortcode';

/** Converts classic HTML: paragraphs by blank lines, shortcodes, addresses on lines of their own (section 3.3). */
export function convertClassic(html: string, place: Place, conversion: Conversion): Block[] {
  const classic: Place = { ...place, isClassic: true };
  const convertHtml = (fragment: Fragment, at: Place) => convertFragment(fragment, at, conversion);
  const inserts = new Map<Shortcode, Insert>();
  const parts = scanShortcodes(html, (shortcode) => {
    const convert = shortcodeConverter(shortcode, conversion, convertHtml);
    if (convert) inserts.set(shortcode, { source: shortcode.source, convert });
    return convert !== undefined;
  });
  const pieces = parts.map((part): string | Insert => {
    if (typeof part === 'string') return part;
    if ('unknownLine' in part) return sourceInsert(part.unknownLine);
    return inserts.get(part.shortcode) ?? part.shortcode.source;
  });
  return convertFragment(Fragment.of(pieces), classic, conversion);
}

const sourceInsert = (source: string): Insert => ({
  source,
  convert: () => [htmlBlock(source, { name: shortcodeBlockName })],
});

/** The blocks of a text that is one known shortcode; undefined for others. */
export function convertShortcode(text: string, place: Place, conversion: Conversion): Block[] | undefined {
  let convert: ((at: Place) => Block[]) | undefined;
  const convertHtml = (fragment: Fragment, at: Place) => convertFragment(fragment, at, conversion);
  const parts = scanShortcodes(text, (shortcode) => {
    convert = shortcodeConverter(shortcode, conversion, convertHtml);
    return convert !== undefined;
  });
  const [only] = parts;
  const isOne = parts.length === 1 && only !== undefined && typeof only !== 'string' && 'shortcode' in only;
  return isOne ? convert?.(place) : undefined;
}
