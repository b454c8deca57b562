import { searchLimits, type Tokenizer } from '../port/search-index.js';
import { fold } from './folding.js';
import { cutText } from './plain-text.js';
import type { QueryTerm } from './query.js';
import { wordsOf, type Word, type WordTokenizer } from './words.js';

/** A match in a text, and the index of its term in the query. */
interface Match {
  start: number;
  end: number;
  key: string;
}

/** Number of characters of a text that are scanned for matches. */
const scannedCharacters = 20_000;
/** Maximum number of matches that are compared. */
const maxMatches = 200;
/** Characters of context before the first match. */
const leadCharacters = 60;

/**
 * A fragment of one of the texts, escaped for HTML, with `<mark>` around matches.
 * @param texts the best ones first; the text with the most terms of the query is used, the earlier one of equals
 * @returns undefined when the scanned texts have no match
 */
export function buildSnippet(
  texts: readonly string[],
  units: readonly QueryTerm[],
  tokenizer: Tokenizer,
): string | undefined {
  let best: { text: string; matches: Match[]; window: Match[] } | undefined;
  const wanted = new Set(units.map(keyOf)).size;
  for (const whole of texts) {
    const text = cutText(whole, scannedCharacters);
    const matches = matchesIn(text, units, tokenizer).sort((one, other) => one.start - other.start);
    const window = bestWindow(matches);
    if (distinct(window) > distinct(best?.window ?? [])) best = { text: whole, matches, window };
    if (distinct(window) === wanted) break;
  }
  return best && render(best);
}

const keyOf = ({ terms }: QueryTerm) => terms.join(' ');
const distinct = (matches: readonly Match[]) => new Set(matches.map(({ key }) => key)).size;

function matchesIn(text: string, units: readonly QueryTerm[], tokenizer: Tokenizer): Match[] {
  return tokenizer === 'trigram' ? substringMatches(text, units) : wordMatches(text, units, tokenizer);
}

function wordMatches(text: string, units: readonly QueryTerm[], tokenizer: WordTokenizer): Match[] {
  const folded = fold(text);
  const longest = Math.max(1, ...units.map(({ terms }) => terms.length));
  const recent: Word[] = [];
  const matches: Match[] = [];
  for (const word of wordsOf(folded, tokenizer)) {
    recent.push(word);
    if (recent.length > longest) recent.shift();
    for (const unit of units) {
      const first = matchEndingHere(recent, unit);
      if (first) matches.push({ ...folded.origin(first.start, word.end), key: keyOf(unit) });
    }
    if (matches.length >= maxMatches) break;
  }
  return matches;
}

/** The first word of a match that ends with the last of these words. */
function matchEndingHere(recent: readonly Word[], { terms, prefix }: QueryTerm): Word | undefined {
  const last = recent.at(-1);
  if (prefix !== undefined && last?.surfaceForm.startsWith(prefix)) return last;
  const words = recent.slice(-terms.length);
  const matches = words.length === terms.length && words.every(({ term }, place) => term === terms[place]);
  return matches ? words[0] : undefined;
}

function substringMatches(text: string, units: readonly QueryTerm[]): Match[] {
  const folded = fold(text);
  return units.flatMap((unit) => {
    const pattern = (unit.substring ?? '')
      .replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)
      .replaceAll(' ', String.raw`\s+`);
    return Array.from(folded.text.matchAll(new RegExp(pattern, 'gu')), ({ 0: found, index }) => ({
      ...folded.origin(index, index + found.length),
      key: keyOf(unit),
    })).slice(0, maxMatches);
  });
}

/** The matches that fit into one fragment and cover the most terms; the first of equals. */
function bestWindow(matches: readonly Match[]): Match[] {
  let best: Match[] = [];
  let bestCount = 0;
  for (const [place, { start }] of matches.entries()) {
    const within: Match[] = [];
    for (let next = place; next < matches.length; next += 1) {
      const match = matches[next];
      if (!match || match.end - start > searchLimits.snippetCharacters - leadCharacters) break;
      within.push(match);
    }
    const window = within.length > 0 ? within : matches.slice(place, place + 1);
    const count = distinct(window);
    if (count > bestCount) {
      best = window;
      bestCount = count;
    }
  }
  return best;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replace(/[&<>"']/gu, (character) => entities[character] ?? character);
const ellipsis = '…';

function render({ text, matches, window }: { text: string; matches: Match[]; window: Match[] }): string {
  const first = window[0]?.start ?? 0;
  const from = fragmentStart(text, Math.max(0, first - leadCharacters), first);
  const to = fragmentEnd(text, from + searchLimits.snippetCharacters, window.at(-1)?.end ?? first);
  const parts: string[] = [];
  let at = from;
  for (const { start, end } of matches.filter((match) => match.start >= from && match.end <= to)) {
    // Matches of different terms may overlap.
    if (end <= at) continue;
    parts.push(escape(text.slice(at, start)), `<mark>${escape(text.slice(Math.max(at, start), end))}</mark>`);
    at = end;
  }
  parts.push(escape(text.slice(at, to)));
  const shown = parts.join('').replace(/\s+/gu, ' ').trim();
  return `${from > 0 ? ellipsis : ''}${shown}${to < text.length ? ellipsis : ''}`;
}

/** The start of a fragment: at a word, if one begins before the match, and never within a character. */
function fragmentStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, latest).search(/\s\S/u);
  if (space >= 0) return from + space + 1;
  return from + (isLowSurrogate(text, from) ? 1 : 0);
}

function fragmentEnd(text: string, to: number, earliest: number): number {
  if (to <= earliest) return earliest;
  if (to >= text.length) return text.length;
  const tail = text.slice(earliest, to);
  const space = tail.search(/\s\S*$/u);
  if (space >= 0) return earliest + space;
  return isLowSurrogate(text, to) ? to - 1 : to;
}

function isLowSurrogate(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
