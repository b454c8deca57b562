import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import { changeEntry, groupsOf, type EntryServices, type EntryTarget } from '../../entries/index.js';
import { linkedReference } from '../linked-reference.js';

/**
 * Replaces the live children of an entry at once, drafts aside.
 * @param childIds entry ids in display order
 * @throws QuireError NOT_FOUND (entry, relation or child), COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED, VALIDATION_ERROR.
 */
export async function replaceChildren(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  { relation, childIds }: { relation: string; childIds: readonly string[] },
): Promise<void> {
  await changeEntry(ctx, services, target, async (definition, row, sql) => {
    requireOnRow(ctx.principal, 'content:edit', row.authorId);
    const reference = await linkedReference(sql, definition, relation, 'parent');
    const groups = await groupsOf(sql, reference, childIds);
    const selected = childIds.map((id) => {
      const group = groups.get(id);
      if (group === undefined) throw notFound('child');
      return group;
    });
    return {
      selections: [{ reference, groups: [...new Set(selected)] }],
      touches: { updatedAt: true, version: true },
    };
  });
}
