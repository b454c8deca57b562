import type { Context } from '@quire/context';
import { KeysetPage } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import type { RelationSide } from '../../schema/index.js';
import { canSeeDrafts } from '../entries.policy.js';
import type { EntryDeps } from '../entry-deps.js';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from '../load-entry.js';
import { saveEntry } from '../repository/save-entry.js';
import {
  linkedOrder,
  linkedScope,
  referencePage,
  type EntryRef,
  type ReferencePage,
} from './linked-entries.js';
import { linkedReference } from './linked-reference.js';
import { selectGroups, selectLinkedEntries } from './references.repository.js';
import { selectionIssues } from './resolve-references.js';

const defaultPageSize = 50;

export interface ReferenceTarget extends EntryTarget {
  /** Slug or id of the relation. */
  relation: string;
}

export interface LinkedQuery extends ReferenceTarget {
  cursor?: string | undefined;
  limit?: number;
}

/**
 * @returns a page of the entries that an entry selects through a relation; the first page is that of a single read
 *   (contract 10).
 * @throws QuireError NOT_FOUND (entry, relation), COLLECTION_NOT_FOUND, VALIDATION_ERROR, INVALID_CURSOR.
 */
export async function listReferenceChildren(
  ctx: Context,
  deps: EntryDeps,
  query: LinkedQuery,
): Promise<{ children: EntryRef[]; nextCursor?: string }> {
  const { items, ...rest } = await listLinkedEntries(ctx, deps, { ...query, side: 'parent' });
  return { children: items, ...rest };
}

/**
 * @returns a page of the entries that select an entry through a relation (contract 10).
 * @throws QuireError NOT_FOUND (entry, relation), COLLECTION_NOT_FOUND, VALIDATION_ERROR, INVALID_CURSOR.
 */
export async function listReferenceParents(
  ctx: Context,
  deps: EntryDeps,
  query: LinkedQuery,
): Promise<{ parents: EntryRef[]; nextCursor?: string }> {
  const { items, ...rest } = await listLinkedEntries(ctx, deps, { ...query, side: 'child' });
  return { parents: items, ...rest };
}

/**
 * Replaces the live children of an entry at once, without a draft (contract 10).
 * @param input.childIds entry ids in display order
 * @returns the first page of the children.
 * @throws QuireError NOT_FOUND (entry, relation or child), COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED,
 *   VALIDATION_ERROR (the other end, a repeated child, none where a field requires one, a limit of the relation).
 */
export async function setReferenceChildren(
  ctx: Context,
  deps: EntryDeps,
  { childIds, ...target }: ReferenceTarget & { childIds: readonly string[] },
): Promise<{ children: EntryRef[]; nextCursor?: string }> {
  await saveEntry(ctx, deps, target, async ({ definition, row, sql }) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    const reference = await linkedReference(sql, definition, target.relation, 'parent');
    const groups = await selectGroups(sql, reference, childIds);
    if (childIds.some((id) => !groups.has(id))) throw notFound('child');
    const issues = selectionIssues(childIds, groups, reference, 'childIds');
    if (issues.length > 0) throw invalidInput(issues);
    return {
      selections: [{ reference, groups: childIds.flatMap((id) => groups.get(id) ?? []) }],
      touches: { updatedAt: true, version: true },
    };
  });
  return listReferenceChildren(ctx, deps, target);
}

/** @param query.side the end of the entry; the listed entries are on the other. */
async function listLinkedEntries(
  ctx: Context,
  deps: EntryDeps,
  { relation, side, cursor, limit = defaultPageSize, ...target }: LinkedQuery & { side: RelationSide },
): Promise<ReferencePage> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const { id, _group } = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, {
      rows: readableRows(ctx),
    });
    const reference = await linkedReference(ctx.db, definition, relation, side);
    const scope = linkedScope(ctx.principal.tenant.id, reference, _group);
    const view = { canSeeDrafts: canSeeDrafts(ctx.principal), defaultLocale: deps.locales.of(ctx).default };
    const page = new KeysetPage(linkedOrder(reference.side), scope, { cursor, limit });
    const rows = await selectLinkedEntries(ctx.db, definition, reference, { id, view, page, limit });
    return referencePage(rows, limit, { reference, scope });
  });
}
