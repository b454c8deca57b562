import {
  searchLimits,
  type DocumentView,
  type IndexDocument,
  type SearchIndex,
  type SearchStatus,
} from '../port/search-index.js';
import { cutText, plainText } from './plain-text.js';
import { weighting, type Weighting } from './weights.js';

/** A text of a document and its weight class. */
export interface WeightedText {
  weightClass: number;
  text: string;
}

/** A view of a document with text that can be stored and shown, within the limits; the same for both engines. */
export interface PlainDocument {
  id: string;
  version: number;
  locale: string;
  /** The index of the view in the document. */
  view: number;
  statuses: readonly SearchStatus[];
  slug: string | null;
  title: string | null;
  /** Texts of its fields, heaviest first. */
  fields: WeightedText[];
}

/** The views of a document, with cleaned and truncated texts. */
export function plainDocuments({ views, ...document }: IndexDocument, index: SearchIndex): PlainDocument[] {
  return views.map((view, place) => ({ ...document, view: place, ...plainView(view, index) }));
}

/** Cleans a view's texts and truncates the long ones, so that together they are within the limits. */
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
 * The length to which texts that share a limit are truncated: short ones stay whole, and the rest is divided equally
 * among the long ones, so that no text displaces another.
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

/** The title, if it is searchable, and fields of a document, each with its class. */
export function weightedTexts({ title, fields }: PlainDocument, { titleClass }: Weighting): WeightedText[] {
  return title === null || titleClass === null
    ? fields
    : [{ weightClass: titleClass, text: title }, ...fields];
}

/** The title, or an empty text if it is not searchable. */
export const searchableTitle = ({ title }: PlainDocument, { titleClass }: Weighting): string =>
  titleClass === null ? '' : (title ?? '');

/** Batches that a store accepts in one call, and that occupy the thread only briefly. */
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
