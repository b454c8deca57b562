import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import type { authApi } from '@quire/internal-api';
import { withDefinition } from '../save-entry.js';
import type { EntryDeps } from '../entry-deps.js';

/**
 * The distinct owners of a collection's entries that are not trashed, by name.
 * @throws QuireError COLLECTION_NOT_FOUND
 */
export async function listContentAuthors(
  ctx: Context,
  deps: EntryDeps,
  collection: string,
): Promise<authApi.PublicUser[]> {
  const ids = await withDefinition(ctx, deps, collection, async ({ table }) => {
    const rows = await ctx.db.query<{ authorId: string }>(
      `SELECT DISTINCT author_id AS "authorId" FROM ${identifier(table)} WHERE deleted_at IS NULL AND author_id IS NOT NULL`,
    );
    return rows.map(({ authorId }) => authorId);
  });
  const users = await deps.users.byIds(ctx, ids);
  const nameOf = ({ name, email }: authApi.PublicUser) => name ?? email;
  return users.sort(
    (left, right) => nameOf(left).localeCompare(nameOf(right)) || left.id.localeCompare(right.id),
  );
}
