import type { Transaction } from '@quire/database';
import type { contentImportApi, RequestOf } from '@quire/internal-api';
import { keyOf, selectRecords } from '../records/index.js';
import { taxonomyName } from '../terms/index.js';
import {
  lockTitledCollections,
  selectEntryTargets,
  selectTermTargets,
  type MenuTarget,
} from './menu-targets.repository.js';

type Item = RequestOf<typeof contentImportApi.importMenu>['items'][number];

/** What an item of the source links to here. */
export interface ResolvedTarget {
  /** Slug of the collection, or name of the taxonomy. */
  collection: string;
  group: string;
  title: string | null;
}

/** Finds the targets of the items of one menu. */
export type FindTarget = (item: Item) => ResolvedTarget | undefined;

/** @returns a function that finds the entry or the term of an item; undefined for items without one. */
export async function resolveTargets(
  tx: Transaction,
  { site, locale, items }: { site: string; locale: string; items: readonly Item[] },
): Promise<FindTarget> {
  const entries = await entryTargets(tx, site, items);
  const terms = await termTargets(tx, locale, items);
  return ({ target }) => {
    if (target.kind === 'entry') return entries.get(keyOf(target.source));
    return target.kind === 'term' ? terms.get(termId(target)) : undefined;
  };
}

/** @returns entries by the key of their source. */
async function entryTargets(
  tx: Transaction,
  site: string,
  items: readonly Item[],
): Promise<Map<string, ResolvedTarget>> {
  const sources = items.flatMap(({ target }) => (target.kind === 'entry' ? [target.source] : []));
  const distinct = new Map(sources.map((source) => [keyOf(source), source]));
  const records = await selectRecords(tx, site, [...distinct.values()]);
  const idsOf = new Map<string, string[]>();
  for (const { collection, targetId } of records.values())
    if (collection !== null) idsOf.set(collection, [...(idsOf.get(collection) ?? []), targetId]);
  const found = new Map<string, ResolvedTarget>();
  for (const collection of await lockTitledCollections(tx, [...idsOf.keys()])) {
    const { slug } = collection;
    for (const { id, group, title } of await selectEntryTargets(tx, collection, idsOf.get(slug) ?? []))
      found.set(id, { collection: slug, group, title });
  }
  return new Map(
    [...records].flatMap(([key, { targetId }]) => {
      const target = found.get(targetId);
      return target ? [[key, target] as const] : [];
    }),
  );
}

const termId = ({ taxonomy, slug }: { taxonomy: string; slug: string }) =>
  `${taxonomyName(taxonomy)}/${slug}`;

/** @returns terms by `termId`. */
async function termTargets(
  tx: Transaction,
  locale: string,
  items: readonly Item[],
): Promise<Map<string, ResolvedTarget>> {
  const given = items.flatMap(({ target }) => (target.kind === 'term' ? [target] : []));
  if (given.length === 0) return new Map();
  const keys = new Map(
    given.map((term) => [termId(term), { taxonomy: taxonomyName(term.taxonomy), slug: term.slug }]),
  );
  const terms = await selectTermTargets(tx, locale, [...keys.values()]);
  return new Map(
    terms.map(({ id, group, title }: MenuTarget) => [
      id,
      { collection: keys.get(id)?.taxonomy ?? '', group, title },
    ]),
  );
}
