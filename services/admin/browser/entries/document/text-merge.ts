import { canonicalJson, isRecord } from './equality.js';
import type { Versions } from './keyed-merge.js';
import { diffSequences, type Hunk } from './sequence-diff.js';

/** A part of a text: a span of text with marks, or an object inside the text. */
export type TextPart = Record<string, unknown>;

/** A piece of a word with one set of marks, or an object. */
type Segment = { text: string; span: TextPart } | { object: TextPart };

/** A word, the space between two words, or an object; a word with several marks has several segments. */
interface Token {
  /** Equal for tokens with the same text and marks. Keys of spans change when text is split, and do not count. */
  identity: string;
  segments: readonly Segment[];
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');
/** Words, spaces, and single characters of scripts without spaces. */
const words = new RegExp(String.raw`\s+|[${unspaced}]|[^\s${unspaced}]+`, 'gu');

/** Whether a list is the content of a text block or of a table cell: spans, and objects between them. */
export function isText(value: unknown): value is readonly TextPart[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every(isRecord) && value.some((part) => isSpan(part))
  );
}

function isSpan(part: TextPart): part is TextPart & { text: string } {
  return part['_type'] === 'span' && typeof part['text'] === 'string';
}

/**
 * Merges the words of a text.
 * @returns undefined if changes of both sides touch
 */
export function mergeText({ base, mine, theirs }: Versions<readonly TextPart[]>): TextPart[] | undefined {
  const [before, own, other] = [toTokens(base), toTokens(mine), toTokens(theirs)];
  const ownHunks = diffSequences(before.map(identityOf), own.map(identityOf));
  const otherHunks = diffSequences(before.map(identityOf), other.map(identityOf));
  const changes: { hunk: Hunk; tokens: readonly Token[] }[] = ownHunks.map((hunk) => ({ hunk, tokens: own }));
  for (const hunk of otherHunks) {
    const touching = ownHunks.filter(({ start, end }) => start <= hunk.end && hunk.start <= end);
    const isSame = ({ start, end, from, to }: Hunk) =>
      start === hunk.start &&
      end === hunk.end &&
      textOf(own.slice(from, to)) === textOf(other.slice(hunk.from, hunk.to));
    if (touching.length === 0) changes.push({ hunk, tokens: other });
    else if (touching.length > 1 || !touching.every(isSame)) return undefined;
  }
  changes.sort((a, b) => a.hunk.start - b.hunk.start);
  const merged: Token[] = [];
  let index = 0;
  for (const { hunk, tokens } of changes) {
    merged.push(...before.slice(index, hunk.start), ...tokens.slice(hunk.from, hunk.to));
    index = hunk.end;
  }
  merged.push(...before.slice(index));
  const parts = toParts(merged);
  return hasRepeatedObject(parts) ? undefined : parts;
}

const identityOf = ({ identity }: Token) => identity;
const textOf = (tokens: readonly Token[]) => tokens.map(identityOf).join('\n');

/** Moved by both sides to different places: it would be there twice. */
function hasRepeatedObject(parts: readonly TextPart[]): boolean {
  const keys = parts
    .filter((part) => !isSpan(part))
    .flatMap(({ _key: key }) => (key === undefined ? [] : [key]));
  return new Set(keys).size < keys.length;
}

function toTokens(parts: readonly TextPart[]): Token[] {
  const tokens: Segment[][] = [];
  /** Whether the last token is a word that the next span may continue. */
  let continues: 'word' | 'space' | undefined;
  for (const part of parts) {
    if (!isSpan(part)) {
      tokens.push([{ object: part }]);
      continues = undefined;
      continue;
    }
    const { text, ...span } = part;
    for (const piece of text.match(words) ?? []) {
      const kind = kindOf(piece);
      const last = tokens.at(-1);
      if (last && kind !== undefined && kind === continues) last.push({ text: piece, span });
      else tokens.push([{ text: piece, span }]);
      continues = kind;
    }
  }
  return tokens.map((segments) => ({ segments, identity: JSON.stringify(segments.map(identityOfSegment)) }));
}

/** @returns undefined for a single character of a script without spaces. */
function kindOf(piece: string): 'word' | 'space' | undefined {
  if (/^\s/.test(piece)) return 'space';
  return startsUnspaced.test(piece) ? undefined : 'word';
}

function identityOfSegment(segment: Segment): string {
  if ('object' in segment) return canonicalJson(segment.object);
  return canonicalJson([segment.text, attributesOf(segment.span)]);
}

/** What two spans of one text have in common if they may be one span. The order of marks has no meaning. */
function attributesOf({ _key, text: _text, ...attributes }: TextPart): unknown {
  const { marks } = attributes;
  return { ...attributes, marks: Array.isArray(marks) ? marks.map(String).sort() : [] };
}

/** The parts of a text again: neighbours with the same marks are one span, and each key is there once. */
function toParts(tokens: readonly Token[]): TextPart[] {
  const parts: TextPart[] = [];
  for (const segment of tokens.flatMap(({ segments }) => segments)) {
    const last = parts.at(-1);
    if ('object' in segment) parts.push(segment.object);
    else if (
      last &&
      isSpan(last) &&
      canonicalJson(attributesOf(last)) === canonicalJson(attributesOf(segment.span))
    )
      parts[parts.length - 1] = { ...last, text: last.text + segment.text };
    else parts.push({ ...segment.span, text: segment.text });
  }
  return withUniqueKeys(parts);
}

/** Gives a span whose key is taken a key that is derived from it, so that all tabs derive the same one. */
function withUniqueKeys(parts: readonly TextPart[]): TextPart[] {
  const taken = new Set(parts.filter((part) => !isSpan(part)).map(({ _key: key }) => key));
  return parts.map((part) => {
    if (!isSpan(part) || part['_key'] === undefined) return part;
    let key = String(part['_key']);
    for (let count = 2; taken.has(key); count += 1) key = `${String(part['_key'])}-${count}`;
    taken.add(key);
    return { ...part, _key: key };
  });
}
