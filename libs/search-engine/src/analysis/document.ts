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

/** Cleans a document's texts and cuts what is beyond the bounds: title first, then fields from the heaviest to the lightest. */
export function plainDocument(document: IndexDocument, index: SearchIndex): PlainDocument {
  const { classOf } = weighting(index);
  let left: number =
    index.tokenizer === 'trigram' ? searchLimits.trigramDocumentCharacters : searchLimits.documentCharacters;
  const take = (text: string) => {
    const taken = plainText(cutText(text, left));
    left -= taken.length;
    return taken;
  };
  const title = document.title === null ? null : take(document.title);
  const fields = Object.entries(document.fields)
    .map(([field, text]) => ({ weightClass: classOf(field), text }))
    .sort((one, other) => one.weightClass - other.weightClass)
    .map(({ weightClass, text }) => ({ weightClass, text: take(text) }))
    .filter(({ text }) => text.trim() !== '');
  const { id, version, locale, slug } = document;
  return { id, version, locale, slug, title, fields };
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
