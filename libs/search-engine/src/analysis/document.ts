import { searchLimits, type IndexDocument, type SearchIndex } from '../port/search-index.js';
import { cutText, plainText } from './plain-text.js';
import { weighting, type Weighting } from './weights.js';

/** A text of a document and the class of its weight. */
export interface WeightedText {
  weightClass: number;
  text: string;
}

/** A document as both engines keep it: text that can be stored and shown, within the bounds. */
export interface PlainDocument {
  id: string;
  version: number;
  locale: string;
  slug: string | null;
  title: string | null;
  /** Texts of its fields, heaviest first. */
  fields: WeightedText[];
}

/** Cleans a document's texts and cuts the long ones, so that together they are within the bounds. */
export function plainDocument(document: IndexDocument, index: SearchIndex): PlainDocument {
  const { classOf } = weighting(index);
  const room =
    index.tokenizer === 'trigram' ? searchLimits.trigramDocumentCharacters : searchLimits.documentCharacters;
  const texts = [document.title ?? '', ...Object.values(document.fields)];
  const longest = fairLength(
    texts.map(({ length }) => length),
    room,
  );
  const take = (text: string) => plainText(cutText(text, longest));
  const title = document.title === null ? null : take(document.title);
  const fields = Object.entries(document.fields)
    .map(([field, text]) => ({ weightClass: classOf(field), text: take(text) }))
    .sort((one, other) => one.weightClass - other.weightClass)
    .filter(({ text }) => text.trim() !== '');
  const { id, version, locale, slug } = document;
  return { id, version, locale, slug, title, fields };
}

/**
 * The length to which texts are cut that share a room: short ones stay whole, and what they leave is divided equally among the long
 * ones, so that no text takes the place of another.
 */
export function fairLength(lengths: readonly number[], room: number): number {
  const shortestFirst = [...lengths].sort((one, other) => one - other);
  let left = room;
  for (const [place, length] of shortestFirst.entries()) {
    const share = Math.floor(left / (shortestFirst.length - place));
    if (length > share) return share;
    left -= length;
  }
  return room;
}

/** Title, where it is to be found, and fields of a document, each with its class. */
export function weightedTexts({ title, fields }: PlainDocument, { titleClass }: Weighting): WeightedText[] {
  return title === null || titleClass === null
    ? fields
    : [{ weightClass: titleClass, text: title }, ...fields];
}

/** The title as far as it is to be found. */
export const foundTitle = ({ title }: PlainDocument, { titleClass }: Weighting): string =>
  titleClass === null ? '' : (title ?? '');

/** Batches that a thread works through without keeping others waiting, and that a store takes at once. */
export function* chunksOf(documents: readonly IndexDocument[]): Generator<IndexDocument[]> {
  const chunkCharacters = 200_000;
  let chunk: IndexDocument[] = [];
  let size = 0;
  for (const document of documents) {
    const own = Object.values(document.fields).reduce((sum, { length }) => sum + length, 0);
    if (chunk.length > 0 && size + own > chunkCharacters) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(document);
    size += Math.min(own, searchLimits.documentCharacters);
  }
  if (chunk.length > 0) yield chunk;
}
