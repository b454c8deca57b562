import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { withDefinition, type EntryDeps } from '../../entries/index.js';
import type { MenuItemType } from './menu-item.entity.js';
import { selectEntryGroups, selectTermGroups } from './menu-items.repository.js';

/** The reference of a submitted item. */
interface Reference {
  type: MenuItemType;
  referenceCollection?: string | null | undefined;
  referenceId?: string | null | undefined;
}

/** The collection of entries when an item does not name one. */
const defaultCollections: Partial<Record<MenuItemType, string>> = { page: 'pages', post: 'posts' };

/**
 * @returns the `referenceId` to store for each item: the translation group of the entry or term that it names by id
 *   (contract 18). An unknown id is stored unchanged: its target may be created later, and items outlive their targets.
 */
export async function resolveReferenceGroups(
  ctx: Context,
  deps: EntryDeps,
  references: readonly Reference[],
): Promise<(string | null)[]> {
  const idsByCollection = new Map<string, Set<string>>();
  for (const reference of references) {
    const collection = collectionOf(reference);
    const { referenceId } = reference;
    if (collection === undefined || !referenceId) continue;
    const ids = idsByCollection.get(collection) ?? new Set();
    idsByCollection.set(collection, ids.add(referenceId));
  }
  const entries = new Map<string, Map<string, string>>();
  for (const [collection, ids] of idsByCollection)
    entries.set(collection, await groupsOfEntries(ctx, deps, collection, [...ids]));
  const terms = await groupsOfTerms(ctx, references);
  return references.map((reference) => {
    const id = reference.referenceId ?? null;
    if (id === null) return null;
    const groups = reference.type === 'taxonomy' ? terms : entries.get(collectionOf(reference) ?? '');
    return groups?.get(id) ?? id;
  });
}

async function groupsOfTerms(ctx: Context, references: readonly Reference[]): Promise<Map<string, string>> {
  const ids = references.flatMap(({ type, referenceId }) =>
    type === 'taxonomy' && referenceId ? [referenceId] : [],
  );
  if (ids.length === 0) return new Map();
  return selectTermGroups(ctx.db, ids);
}

function collectionOf({ type, referenceCollection }: Reference): string | undefined {
  if (type === 'custom' || type === 'taxonomy') return undefined;
  return referenceCollection ?? defaultCollections[type];
}

async function groupsOfEntries(
  ctx: Context,
  deps: EntryDeps,
  collection: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  try {
    return await withDefinition(ctx, deps, collection, ({ table }) => selectEntryGroups(ctx.db, table, ids));
  } catch (error) {
    if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND') return new Map();
    throw error;
  }
}
