import type { Context } from '@quire/context';
import { invalidInput, notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import { saveEntry, selectionIssues, groupsOf, type EntryDeps, type EntryTarget } from '../../index.js';
import { linkedReference } from '../linked-reference.js';

/**
 * Replaces the live children of an entry at once, drafts aside (contract 10).
 * @param childIds entry ids in display order
 * @throws QuireError NOT_FOUND (entry, relation or child), COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED,
 * VALIDATION_ERROR (the other end, a child twice, none where a field requires one, a limit of the relation).
 */
export async function setReferenceChildren(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  { relation, childIds }: { relation: string; childIds: readonly string[] },
): Promise<void> {
  await saveEntry(ctx, deps, target, async (definition, row, sql) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    const reference = await linkedReference(sql, definition, relation, 'parent');
    const groups = await groupsOf(sql, reference, childIds);
    if (childIds.some((id) => !groups.has(id))) throw notFound('child');
    const issues = selectionIssues(childIds, groups, reference, 'childIds');
    if (issues.length > 0) throw invalidInput(issues);
    return {
      selections: [{ reference, groups: childIds.flatMap((id) => groups.get(id) ?? []) }],
      touches: { updatedAt: true, version: true },
    };
  });
}
