import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { StaleEntryError } from './entries.policy.js';

/** Who made the version that a stale write lost to, and when (decision 51). */
interface LastEdit {
  /** Null for Quire's own work, and for rows from before it was noted. */
  editedBy: { id: string; name: string | null } | null;
  editedAt: string;
}

/** A conflict is answered without the name rather than late. */
const timeoutMs = 1_000;

/** The conflict of a stale `_rev`, with `editedBy` and `editedAt` of the entry's present version in its details. */
export async function toStaleEntryError(
  ctx: Context,
  users: AuthClient,
  { table }: CollectionDefinition,
  stale: StaleEntryError,
): Promise<QuireError> {
  const { id, updatedAt } = stale.row;
  const [edit] = await ctx.db.query<{ userId: string | null; editedAt: string }>(
    `SELECT _edited_by AS "userId", coalesce(_edited_at, updated_at) AS "editedAt" FROM ${identifier(table)} WHERE id = $1`,
    [id],
  );
  const userId = edit?.userId ?? null;
  const details: LastEdit = {
    editedBy: userId === null ? null : { id: userId, name: await nameOf(ctx, users, userId) },
    editedAt: edit?.editedAt ?? updatedAt,
  };
  return new QuireError('CONFLICT', stale.message, { details: { ...details }, cause: stale });
}

/**
 * The name of a user, as the edit lease shows it; null for one who is gone, and while the auth service cannot be asked.
 */
async function nameOf(ctx: Context, users: AuthClient, id: string): Promise<string | null> {
  try {
    const [user] = await users.byIds(ctx, [id], { timeoutMs });
    return user?.name ?? user?.email ?? null;
  } catch (error) {
    if (error instanceof QuireError) return null;
    throw error;
  }
}
