import { titleKey } from '../analysis/query.js';
import { assertIndexCount } from '../analysis/request.js';
import type { SuggestRequest, Suggestion } from '../port/search-request.js';
import { filterOf, type Server } from './meili-access.js';
import { documentId } from './meili-documents.js';
import { encodeTitle } from './term-encoding.js';

interface TitleHit {
  id: string;
  slug: string | null;
  title: string;
}

/** Titles that begin with a text, in order. The server has only prefixes of titles; the rest is compared here. */
export async function suggestTitles(
  { client, uids }: Server,
  { text, indexes, locale, limit }: SuggestRequest,
): Promise<Suggestion[]> {
  assertIndexCount(indexes.length);
  const key = titleKey(text);
  if (indexes.length === 0 || !/[\p{L}\p{N}]/u.test(key)) return [];
  const { results } = await client.multiSearch({
    queries: indexes.map((index) => ({
      indexUid: uids.of(index),
      q: encodeTitle(key),
      attributesToRetrieve: ['id', 'slug', 'title'],
      sort: ['key:asc'],
      limit,
      ...filterOf(index, { status: 'published', locale }),
    })),
  });
  return results
    .flatMap(({ hits }, place) =>
      (hits as unknown as TitleHit[]).map(({ id, slug, title }) => ({
        collectionId: indexes[place]?.collectionId ?? '',
        id: documentId(id),
        slug,
        title,
      })),
    )
    .map((suggestion) => ({ suggestion, own: titleKey(suggestion.title) }))
    .filter(({ own }) => own.startsWith(key))
    .sort(
      (one, other) =>
        compareBytes(one.own, other.own) || compareBytes(one.suggestion.id, other.suggestion.id),
    )
    .slice(0, limit)
    .map(({ suggestion }) => suggestion);
}

const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
