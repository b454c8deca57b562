import { createHash } from 'node:crypto';
import { isStorableText } from '@quire/values';

const maxGraphemes = 80;
/** Leaves room for a suffix below the maximum length of a submitted slug. */
const maxGeneratedLength = 240;
const maxGivenLength = 255;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The source text of an entry's slug: `data.title`, then `data.name`.
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
 * @returns the slug, or `untitled-<short hash>` when no character is retained
 */
export function generateSlug(text: string): string {
  const retained = text
    .normalize('NFKC')
    .toLowerCase()
    // Lower-casing can decompose a letter.
    .normalize('NFKC')
    .replace(/[\s_]+/gu, '-')
    // In some scripts joiners are between a letter and its marks.
    .replace(/\p{Cf}/gu, '')
    // A dropped character takes its marks along, or an emoji would leave an invisible selector.
    .replace(/[^\p{L}\p{Nd}\p{M}-]\p{M}*/gu, '')
    .replace(/(^|-)\p{M}+/gu, '$1')
    .replace(/-+/g, '-');
  const slug = trimDashes(firstGraphemes(trimDashes(retained)));
  return slug === '' ? `untitled-${shortHash(text)}` : slug;
}

/**
 * Makes a generated slug unique by the suffix rule: `-N`, N one above the highest suffix in use, the first being `-1`.
 * @param base the generated slug
 * @param takenSlugs slugs in use in the same collection and locale, including trashed entries; others are ignored
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
  // Only a number too long to count as a suffix can collide.
  while (taken.has(`${prefix}${suffix}`)) suffix += 1;
  return `${prefix}${suffix}`;
}

/**
 * Checks a submitted slug, which is stored unchanged.
 * @returns the problem, or null
 */
export function givenSlugProblem(slug: string): string | null {
  if (slug.trim() === '') return 'must not be blank';
  if (slug.includes('/')) return "must not contain '/'";
  // Clients resolve `.` and `..`, and would request a parent path.
  if (slug === '.' || slug === '..') return "must not be '.' or '..'";
  if (slug.length > maxGivenLength) return `must have at most ${maxGivenLength} characters`;
  return isStorableText(slug) ? null : 'must not contain U+0000 or unpaired surrogates';
}

function suffixOf(text: string): number {
  // A longer number is part of the slug itself: incrementing it would lose precision.
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
  // One letter with hundreds of marks: no whole grapheme fits, so only the letter is retained.
  return slug === '' ? [...text].slice(0, 1).join('') : slug;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
