import { createHash } from 'node:crypto';
import { isStorableText } from '@quire/values';

const maxGraphemes = 80;
/** Leaves room for a suffix below the length a given slug may have. */
const maxGeneratedLength = 240;
const maxGivenLength = 255;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text an entry's slug is generated from: `data.title`, then `data.name`.
 * @returns null when neither is a non-empty string; then the slug stays null
 */
export function slugSource(data: Readonly<Record<string, unknown>>): string | null {
  for (const key of ['title', 'name']) {
    const text = Object.hasOwn(data, key) ? data[key] : undefined;
    if (typeof text === 'string' && text !== '') return text;
  }
  return null;
}

/**
 * Generates a content slug (sheet rest-shapes, section 2): NFKC, lower case, white space and `_` to `-`; Unicode
 * letters, digits and marks are retained, at most 80 graphemes.
 * @returns the slug, or `untitled-<short hash>` when nothing of the text can be retained
 */
export function generateSlug(text: string): string {
  const retained = text
    .normalize('NFKC')
    .toLowerCase()
    // Lower-casing can take a composed letter apart.
    .normalize('NFKC')
    .replace(/[\s_]+/gu, '-')
    // Joiners stand between a letter and its marks in some scripts.
    .replace(/\p{Cf}/gu, '')
    // A dropped character takes its marks along, else an emoji would leave an invisible selector behind.
    .replace(/[^\p{L}\p{Nd}\p{M}-]\p{M}*/gu, '')
    .replace(/(^|-)\p{M}+/gu, '$1')
    .replace(/-+/g, '-');
  const slug = trimDashes(firstGraphemes(trimDashes(retained)));
  return slug === '' ? `untitled-${shortHash(text)}` : slug;
}

/**
 * Makes a generated slug free by the suffix rule: `-N`, N one above the highest suffix in use, the first being `-1`.
 * @param base the generated slug
 * @param takenSlugs slugs in use in the same collection and locale, trashed entries included; others do no harm
 */
export function nextSlug(base: string, takenSlugs: Iterable<string>): string {
  const taken = new Set(takenSlugs);
  if (!taken.has(base)) return base;
  const prefix = `${base}-`;
  let highest = 0;
  for (const slug of taken) {
    if (slug.startsWith(prefix)) highest = Math.max(highest, suffixOf(slug.slice(prefix.length)));
  }
  let suffix = highest + 1;
  // Only a number too long to count as a suffix can stand in the way.
  while (taken.has(`${prefix}${suffix}`)) suffix += 1;
  return `${prefix}${suffix}`;
}

/**
 * Checks a slug the caller gave; such a slug is stored as sent.
 * @returns what is wrong with it, or null
 */
export function givenSlugProblem(slug: string): string | null {
  if (slug.trim() === '') return 'must not be blank';
  if (slug.includes('/')) return "must not contain '/'";
  // Clients resolve them, and would then address what the path leads to above.
  if (slug === '.' || slug === '..') return "must not be '.' or '..'";
  if (slug.length > maxGivenLength) return `must have at most ${maxGivenLength} characters`;
  return isStorableText(slug) ? null : 'must not contain U+0000 or unpaired surrogates';
}

function suffixOf(text: string): number {
  // A longer number is part of the slug itself; adding one to it would be lost in rounding.
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function trimDashes(text: string): string {
  return text.replace(/^-|-$/g, '');
}

function firstGraphemes(text: string): string {
  let slug = '';
  let count = 0;
  // The slice bounds the work for a text of megabytes; 80 graphemes never need as much.
  for (const { segment } of graphemes.segment(text.slice(0, 4 * maxGeneratedLength))) {
    if (count === maxGraphemes || slug.length + segment.length > maxGeneratedLength) break;
    slug += segment;
    count += 1;
  }
  // One letter under hundreds of marks: no whole grapheme fits, so the letter itself is retained.
  return slug === '' ? [...text].slice(0, 1).join('') : slug;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
