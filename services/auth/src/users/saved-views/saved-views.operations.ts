import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { can } from '@quire/permissions';
import { callerOf } from '../index.js';
import {
  deleteViewRow,
  selectView,
  selectViews,
  upsertView,
  type ViewKey,
} from './saved-views.repository.js';
import { maxViews, type SavedViewInput, type SavedViewResponse } from './saved-views.schemas.js';

/** @returns the caller's views of a collection, and those that others share, by name. */
export function listSavedViews(ctx: Context, collection: string): Promise<SavedViewResponse[]> {
  return selectViews(ctx.db, collection, callerOf(ctx));
}

/**
 * Saves a view of the caller, instead of the caller's former one with the id. Only who may edit the entries of others
 * may share a view.
 * @throws QuireError FORBIDDEN for sharing, and for another user's shared view; NOT_FOUND for any other id that is in
 *   use; CONFLICT above 100 views of a collection
 */
export async function saveView(
  ctx: Context,
  key: ViewKey,
  input: SavedViewInput,
): Promise<SavedViewResponse> {
  const userId = callerOf(ctx);
  if (input.isShared && !can(ctx.principal, 'content:edit_any'))
    throw new QuireError('FORBIDDEN', 'Your role does not allow sharing views (content:edit_any)');
  return ctx.db.transaction(async (tx) => {
    const saved = await upsertView(tx, key, userId, input);
    if (saved) return saved;
    const existing = await selectView(tx, key);
    if (existing) throw notOwnError(existing);
    throw new QuireError('CONFLICT', `The id is in use, or you have ${maxViews} views of this collection`);
  });
}

/**
 * Deletes a view of the caller; also one that another user shares, if the caller may edit the entries of others.
 * @throws QuireError NOT_FOUND, FORBIDDEN
 */
export async function deleteView(ctx: Context, key: ViewKey): Promise<void> {
  const userId = callerOf(ctx);
  await ctx.db.transaction(async (tx) => {
    const view = await selectView(tx, key, 'FOR UPDATE');
    if (!view) throw notFound('view', key.id);
    const mayDelete = view.ownerId === userId || (view.isShared && can(ctx.principal, 'content:edit_any'));
    if (!mayDelete) throw notOwnError(view);
    await deleteViewRow(tx, key.id);
  });
}

/** A caller must not learn of a view that is not shared. */
function notOwnError({ id, isShared }: SavedViewResponse): QuireError {
  return isShared ? new QuireError('FORBIDDEN', 'This view belongs to another user') : notFound('view', id);
}
