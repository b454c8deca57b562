import { generateSlug, givenSlugProblem } from '@quire/content-model';
import type { ExportItem } from '../reading/export-item.js';
import { plainText } from './title.js';

/** Leaves room for a suffix below the maximum length of a submitted slug. */
const maxSlugLength = 240;
/** The source adds it to the slugs of trashed items. */
const trashedSuffix = /__trashed(-\d+)?$/;
/** Characters with a meaning in URLs, and invisible ones. */
const unsuitable = /[\s\p{C}\ufffd/\\?#%"<>&]/u;
const escapes = /(?:%[0-9a-f]{2})+/gi;
const brokenEscape = /%[0-9a-f]?$/i;

/**
 * The slug of an item (2.2): `wp:post_name` decoded, else the slug of the title, else `{type}-{id}`.
 * @returns a slug that the content service accepts, with room for a suffix; null if the item has neither name nor
 *   title nor id
 */
export function sourceSlug(item: Pick<ExportItem, 'slug' | 'title' | 'type' | 'sourceId'>): string | null {
  const named = acceptableSlug(decodeSlug(item.slug).replace(trashedSuffix, ''));
  if (named !== null) return named;
  const titled = generatedSlug(plainText(item.title));
  if (titled !== null) return titled;
  return item.sourceId === null ? null : generateSlug(`${item.type}-${item.sourceId}`);
}

/**
 * The slug of a term (2.5): the nicename decoded, else the slug of its name.
 * @returns null if neither contains a letter or a digit
 */
export function termSlug(nicename: string | null, name: string): string | null {
  return acceptableSlug(decodeSlug(nicename ?? '')) ?? generatedSlug(plainText(name));
}

/**
 * Decodes a percent-encoded slug to Unicode NFC (2.2). The source cuts slugs after 200 bytes, so a last character may
 * be incomplete; it is left out.
 */
export function decodeSlug(encoded: string): string {
  const whole = encoded.replace(brokenEscape, '');
  return whole
    .replace(escapes, (run, at: number) => decodeEscapes(run, at + run.length === whole.length))
    .normalize('NFC');
}

function decodeEscapes(run: string, isLast: boolean): string {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  // With `stream`, the decoder keeps an incomplete last character back.
  return new TextDecoder().decode(bytes, { stream: isLast });
}

function acceptableSlug(slug: string): string | null {
  if (!/[\p{L}\p{N}]/u.test(slug)) return null;
  const isKept = !unsuitable.test(slug) && slug.length <= maxSlugLength && givenSlugProblem(slug) === null;
  return isKept ? slug : generatedSlug(slug);
}

/** The product's slug of a text; null if it has no letter and no digit, for which the product invents a name. */
function generatedSlug(text: string): string | null {
  return /[\p{L}\p{Nd}]/u.test(text.normalize('NFKC')) ? generateSlug(text) : null;
}
