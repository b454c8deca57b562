import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import { QuireError } from '@quire/errors';
import { withDefinition, type EntryDeps } from '../../entries/index.js';
import type { MenuItemType } from './menu-item.entity.js';

/** What an item points at, as it was sent. */
export interface Reference {
  type: MenuItemType;
  referenceCollection?: string | null | undefined;
  referenceId?: string | null | undefined;
}

/** Where entries lie when an item does not say. */
const defaultCollections: Partial<Record<MenuItemType, string>> = { page: 'pages', post: 'posts' };

/**
 * What is stored as `referenceId` of each item: the translation group of the entry or term that it names by id
 * (contract 18). What is found nowhere is kept as sent: it may come later, and an item outlives what it points at
 * anyway.
 */
export async function resolveReferenceGroups(
  ctx: Context,
  deps: EntryDeps,
  references: readonly Reference[],
): Promise<(string | null)[]> {
  const wanted = new Map<string, Set<string>>();
  for (const reference of references) {
    const collection = collectionOf(reference);
    const { referenceId } = reference;
    if (collection === undefined || !referenceId) continue;
    const ids = wanted.get(collection) ?? new Set();
    wanted.set(collection, ids.add(referenceId));
  }
  const found = new Map<string, Map<string, string>>();
  for (const [collection, ids] of wanted)
    found.set(collection, await groupsOfEntries(ctx, deps, collection, [...ids]));
  const terms = await groupsOfTerms(ctx, references);
  return references.map((reference) => {
    const id = reference.referenceId ?? null;
    if (id === null) return null;
    const groups = reference.type === 'taxonomy' ? terms : found.get(collectionOf(reference) ?? '');
    return groups?.get(id) ?? id;
  });
}

async function groupsOfTerms(ctx: Context, references: readonly Reference[]): Promise<Map<string, string>> {
  const ids = references.flatMap(({ type, referenceId }) =>
    type === 'taxonomy' && referenceId ? [referenceId] : [],
  );
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.query<{ id: string; group: string }>(
    'SELECT id, group_id AS "group" FROM terms WHERE id = ANY($1)',
    [ids],
  );
  return new Map(rows.map(({ id, group }) => [id, group]));
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
    const rows = await withDefinition(ctx, deps, collection, ({ table }) =>
      ctx.db.query<{ id: string; group: string }>(
        `SELECT id, _translation_group AS "group" FROM ${identifier(table)} WHERE id = ANY($1)`,
        [ids],
      ),
    );
    return new Map(rows.map(({ id, group }) => [id, group]));
  } catch (error) {
    if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND') return new Map();
    throw error;
  }
}
