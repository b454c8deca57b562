import type { Context } from '@quire/context';
import type { MediaChangeNotifier } from '../../items/index.js';
import { scheduleObjectDeletions } from '../../objects/index.js';
import { clearUsage } from '../../usage/index.js';
import { scheduleVariantDeletions } from '../../variants/index.js';

/** Rows of each table that one call deletes. */
const rowsPerCall = 1_000;

/**
 * Deletes a bounded number of media items, ready or not, and of folders, and of what the usage index has of the site.
 * Objects are deleted by their scheduled deletions; those that site exports keep exist until the exports end.
 * @returns whether nothing is left
 */
export async function clearSiteRecords(
  ctx: Context,
  notifier: MediaChangeNotifier,
): Promise<{ isComplete: boolean }> {
  await clearItems(ctx, notifier);
  await ctx.db.query(
    'DELETE FROM media_folders WHERE id IN (SELECT id FROM media_folders ORDER BY id LIMIT $1)',
    [rowsPerCall],
  );
  const isUsageCleared = await clearUsage(ctx, rowsPerCall);
  return { isComplete: isUsageCleared && (await hasNoRecords(ctx)) };
}

async function clearItems(ctx: Context, notifier: MediaChangeNotifier): Promise<void> {
  const { tenant } = ctx.principal;
  await ctx.db.transaction(async (tx) => {
    const deleted = await tx.query<{ objectKey: string | null; isReady: boolean }>(
      `DELETE FROM media_items WHERE id IN (SELECT id FROM media_items ORDER BY id LIMIT $1)
       RETURNING object_key AS "objectKey", status = 'ready' AS "isReady"`,
      [rowsPerCall],
    );
    if (deleted.length === 0) return;
    // The object of an item that never became ready has a scheduled deletion since the upload target was created.
    const keys = deleted.flatMap(({ objectKey, isReady }) => (isReady && objectKey ? [objectKey] : []));
    await scheduleObjectDeletions(tx, tenant, keys);
    await scheduleVariantDeletions(tx, tenant, keys);
    await notifier.filesChanged(tx, ctx);
  });
}

async function hasNoRecords({ db }: Context): Promise<boolean> {
  const [left] = await db.query<{ isEmpty: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM media_items) AND NOT EXISTS (SELECT FROM media_folders) AS "isEmpty"`,
  );
  return left?.isEmpty ?? true;
}
