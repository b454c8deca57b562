import type { SearchHit } from '../port/search-request.js';
import type { IndexQuery } from './request.js';
import { buildSnippet } from './snippet.js';

/** The stored parts of a document that hits show. */
export interface ShownDocument {
  id: string;
  locale: string;
  slug: string | null;
  title: string | null;
  texts: readonly string[];
  score: number;
}

/** A document as a hit of a query: with a fragment of the best matching text, else of the title. */
export function toSearchHit(document: ShownDocument, { index, units }: IndexQuery): SearchHit {
  const { id, slug, locale, title, texts, score } = document;
  const { collectionId, tokenizer } = index;
  const snippet = buildSnippet(texts, units, tokenizer) ?? buildSnippet([title ?? ''], units, tokenizer);
  return { collectionId, id, slug, locale, title, snippet, score };
}
