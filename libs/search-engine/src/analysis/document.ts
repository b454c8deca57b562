import {
  searchLimits,
  type DocumentView,
  type IndexDocument,
  type SearchIndex,
  type SearchStatus,
} from '../port/search-index.js';
import { cutText, plainText } from './plain-text.js';
import { weighting, type Weighting } from './weights.js';

/** A text of a document and the class of its weight. */
export interface WeightedText {
  weightClass: number;
  text: string;
}

/** A view of a document as both engines keep it: text that can be stored and shown, within the bounds. */
export interface PlainDocument {
  id: string;
  version: number;
  locale: string;
  /** Its place among the views of the document. */
  view: number;
  statuses: readonly SearchStatus[];
  slug: string | null;
  title: string | null;
  /** Texts of its fields, heaviest first. */
  fields: WeightedText[];
}

/** The views of a document, with texts that are cleaned and cut. */
export function plainDocuments({ views, ...document }: IndexDocument, index: SearchIndex): PlainDocument[] {
  return views.map((view, place) => ({ ...document, view: place, ...plainView(view, index) }));
}

/** Cleans a view's texts and cuts the long ones, so that together they are within the bounds. */
export function plainView(
  view: DocumentView,
  index: SearchIndex,
): Pick<PlainDocument, 'statuses' | 'slug' | 'title' | 'fields'> {
  const { classOf } = weighting(index);
  const room =
    index.tokenizer === 'trigram' ? searchLimits.trigramDocumentCharacters : searchLimits.documentCharacters;
  const texts = [view.title ?? '', ...Object.values(view.fields)];
  const longest = fairLength(
    texts.map(({ length }) => length),
    room,
  );
  const take = (text: string) => plainText(cutText(text, longest));
  const title = view.title === null ? null : take(view.title);
  const fields = Object.entries(view.fields)
    .map(([field, text]) => ({ weightClass: classOf(field), text: take(text) }))
    .sort((one, other) => one.weightClass - other.weightClass)
    .filter(({ text }) => text.trim() !== '');
  return { statuses: view.statuses, slug: view.slug, title, fields };
}

/**
 * The length to which texts are cut that share a room: short ones stay whole, and what they leave is divided equally
 * among the long ones, so that no text takes the place of another.
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
export const searchableTitle = ({ title }: PlainDocument, { titleClass }: Weighting): string =>
  titleClass === null ? '' : (title ?? '');

/** Batches that a thread works through without keeping others waiting, and that a store takes at once. */
export function* chunksOf(documents: readonly IndexDocument[]): Generator<IndexDocument[]> {
  const chunkCharacters = 200_000;
  let chunk: IndexDocument[] = [];
  let size = 0;
  for (const document of documents) {
    const texts = document.views.flatMap(({ fields }) => Object.values(fields));
    const own = texts.reduce((sum, { length }) => sum + length, 0);
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
