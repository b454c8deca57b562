import { memoize } from './memoize.js';

/** Text in its form for comparison, and the origin of each of its characters. */
export interface FoldedText {
  text: string;
  /** The range in the original of the folded text from `start` to `end`; a slice, and not an empty one. */
  origin(start: number, end: number): { start: number; end: number };
}

/**
 * A character with its marks, or a run of ASCII; a letter before a mark is not part of the run.
 */
const pieces =
  /[\x20-\x7e\n]+(?!\p{M})|(?:[\u1100-\u115f]|[\uac00-\ud7a3])[\u1160-\u11ff]+|\P{M}(?:\p{M}|\uff9e|\uff9f)*|\p{M}+/gu;
/** Diacritics of Latin, Greek and Cyrillic; points and vowel signs, which most Hebrew and Arabic texts omit. */
const optionalMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]+|\u0640/gu;
/** Letters whose stroke or ligature is a diacritic to readers, though Unicode does not decompose them. */
const letters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', æ: 'ae', œ: 'oe' };
const strokedLetters = /[øłđħıæœ]/gu;
/** Control characters and unpaired surrogates divide words, as the zero-width space does. */
const dividing = /[\p{Cc}\p{Cs}\u200b]/gu;
/** Invisible formatting: joiners, soft hyphens, directional marks. */
const invisible = /\p{Cf}/gu;

const maxCachedPieces = 20_000;

const foldPiece = memoize(
  (piece) =>
    piece
      .normalize('NFKD')
      .replace(optionalMarks, '')
      .toUpperCase()
      .toLowerCase()
      .replace(optionalMarks, '')
      .replace(strokedLetters, (letter) => letters[letter] ?? letter)
      .replace(dividing, ' ')
      .replace(invisible, '')
      .normalize('NFKC'),
  maxCachedPieces,
);

function foldedPiece(piece: string): string {
  if (piece.charCodeAt(0) < 0x7f && piece.length > 1 && /^[\x20-\x7e\n]+$/.test(piece))
    return piece.toLowerCase();
  return foldPiece(piece);
}

/**
 * Normalises text for comparison: NFKC, lower case, without diacritics, invisible characters and controls. The result
 * is the same for every Unicode spelling of a text. Accepts any string, including unpaired surrogates.
 */
export function fold(text: string): FoldedText {
  if (/^[\x20-\x7e\n]*$/.test(text))
    return { text: text.toLowerCase(), origin: (start, end) => ({ start, end }) };
  const parts: string[] = [];
  const places: Piece[] = [];
  let length = 0;
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const folded = foldedPiece(piece);
    if (folded === '') continue;
    places.push({
      folded: length,
      original: index,
      length: piece.length,
      isEven: folded.length === piece.length,
    });
    parts.push(folded);
    length += folded.length;
  }
  const origin = (start: number, end: number) => {
    const first = pieceAt(places, start);
    const last = pieceAt(places, end - 1);
    return {
      start: first.original + (first.isEven ? start - first.folded : 0),
      end: last.original + (last.isEven ? end - last.folded : last.length),
    };
  };
  return { text: parts.join(''), origin };
}

interface Piece {
  /** Its start in the folded text, and in the original. */
  folded: number;
  original: number;
  /** Length in the original. */
  length: number;
  /** Whether each of its characters maps to one character. */
  isEven: boolean;
}

/** The piece at an index of the folded text. */
function pieceAt(places: readonly Piece[], place: number): Piece {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((places[middle]?.folded ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return places[low] ?? { folded: 0, original: 0, length: 0, isEven: true };
}
