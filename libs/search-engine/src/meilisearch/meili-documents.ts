import { plainDocuments, weightedTexts, type PlainDocument } from '../analysis/document.js';
import { fold } from '../analysis/folding.js';
import { titleKey } from '../analysis/query.js';
import { trigramsOf, trigramText } from '../analysis/trigrams.js';
import { weightClasses, weighting } from '../analysis/weights.js';
import { wordsOf } from '../analysis/words.js';
import {
  searchLimits,
  type IndexDocument,
  type SearchIndex,
  type SearchStatus,
} from '../port/search-index.js';
import { encodeTerm, encodeTitle } from './term-encoding.js';

/** A view of a document in Meilisearch: the shown fields, and the encoded terms of each weight class. */
export interface MeiliDocument {
  /** See `viewId`. */
  id: string;
  statuses: readonly SearchStatus[];
  locale: string;
  slug: string | null;
  title: string | null;
  texts: string[];
  /** Key of the title, for suggestions and their order. */
  key: string;
  /** Of two equal matches the one with the shorter title comes first. */
  titleLength: number;
  [attribute: `terms${number}` | `written${number}`]: string;
}

/** Meilisearch reads this text as the end of a sentence: no phrase crosses it. */
const gap = ' . ';
const classes = Array.from({ length: weightClasses }, (_, place) => place);

/** Searched attributes, heaviest first: the terms of a class, then the words as written where those differ. */
export const termAttributes = classes.flatMap((place) => [`terms${place}`, `written${place}`]);

/** The first view of a document has the document's id, the others append their index. */
const viewId = (id: string, view: number) => (view === 0 ? id : `${id}_${view}`);

/** The id of a view's document. */
export const documentId = (idOfView: string) => idOfView.replace(/_\d$/, '');

/** The possible ids of a document's views from this index on. */
export const viewIds = (id: string, from: number) =>
  Array.from({ length: searchLimits.viewsPerDocument - from }, (_, place) => viewId(id, from + place));

/** Converts a document to those of Meilisearch. */
export function meiliDocuments(document: IndexDocument, index: SearchIndex): MeiliDocument[] {
  return plainDocuments(document, index).map((plain) => meiliDocument(plain, index));
}

function meiliDocument(plain: PlainDocument, index: SearchIndex): MeiliDocument {
  const { id, view, statuses, locale, slug, title, fields } = plain;
  const meiliDocument: MeiliDocument = {
    id: viewId(id, view),
    statuses,
    locale,
    slug,
    title,
    texts: fields.map(({ text }) => text),
    key: title === null ? '' : encodeTitle(titleKey(title)),
    titleLength: title?.length ?? 0,
  };
  const texts = weightedTexts(plain, weighting(index));
  for (const place of classes) {
    const own = texts.filter(({ weightClass }) => weightClass === place);
    const read = own.map(({ text }) => termsOf(text, index));
    meiliDocument[`terms${place}`] = read.map(({ terms }) => terms.map(encodeTerm).join(' ')).join(gap);
    meiliDocument[`written${place}`] = read
      .flatMap(({ surfaceForms }) => surfaceForms.map(encodeTerm))
      .join(' ');
  }
  return meiliDocument;
}

function termsOf(text: string, { tokenizer }: SearchIndex): { terms: string[]; surfaceForms: string[] } {
  if (tokenizer === 'trigram') return { terms: trigramsOf(trigramText(text)), surfaceForms: [] };
  const words = [...wordsOf(fold(text), tokenizer)];
  const changed = words.filter(({ surfaceForm, term }) => surfaceForm !== term);
  return {
    terms: words.map(({ term }) => term),
    surfaceForms: [...new Set(changed.map(({ surfaceForm }) => surfaceForm))],
  };
}
