import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { notFound } from '@quire/errors';
import { mediaApi } from '@quire/internal-api';
import { assertOnRow } from '@quire/permissions';
import { scheduleObjectDeletions, type MediaObjects } from '../objects/index.js';
import { usageSummaries, type UsageDeps } from '../usage/index.js';
import { scheduleVariantDeletion } from '../variants/index.js';
import { toMediaItemResponse, type ItemWithUsage, type MediaItemResponse } from './item.mapper.js';
import {
  countItems,
  deleteItem,
  itemOrder,
  selectItemById,
  selectItems,
  selectItemsByIds,
  selectItemsByStorageKeys,
  selectNumberedPage,
  updateItem,
  type ItemRow,
} from './items.repository.js';
import type { MediaQuery, MediaUpdate } from './items.schemas.js';
import type { MediaChangeNotifier } from './media-change-notifier.js';

/** A page of media: with a cursor, or with the total count when pages are numbered. */
export interface MediaPage {
  items: ItemWithUsage[];
  nextCursor?: string;
  totalCount?: number;
}

/**
 * @returns one page of the ready items, newest first, by cursor or by number, with usage when requested (document 1,
 *   Media 1 and 2; contract 11).
 * @throws QuireError INVALID_CURSOR, SERVICE_UNAVAILABLE when usage is not available.
 */
export async function listMedia(
  ctx: Context,
  usage: UsageDeps,
  { cursor, limit, page: number, includeUsage, ...filter }: MediaQuery,
): Promise<MediaPage> {
  const toResponses = includeUsage === undefined ? withoutUsage : withUsage(ctx, usage);
  if (number !== undefined) {
    const totalCount = await countItems(ctx.db, filter);
    const isPast = (number - 1) * limit >= totalCount;
    const rows = isPast ? [] : await selectNumberedPage(ctx.db, filter, { number, size: limit });
    return { items: await toResponses(rows), totalCount };
  }
  const scope = cursorScope({ operation: 'listMedia', tenant: ctx.principal.tenant.id, ...filter });
  const page = new KeysetPage(itemOrder, scope, { cursor, limit });
  const rows = await selectItems(ctx.db, filter, page);
  const { items, ...rest } = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  return { items: await toResponses(items), ...rest };
}

type RowsMapper = (rows: readonly ItemRow[]) => Promise<ItemWithUsage[]>;

const withoutUsage: RowsMapper = (rows) => Promise.resolve(rows.map(toMediaItemResponse));

function withUsage(ctx: Context, usage: UsageDeps): RowsMapper {
  return async (rows) => {
    const summaryOf = await usageSummaries(
      ctx,
      usage,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ ...toMediaItemResponse(row), usage: summaryOf(row.id) }));
  };
}

/**
 * @returns one item in any state, with usage when requested (contract 11).
 * @throws QuireError NOT_FOUND, SERVICE_UNAVAILABLE when usage is not available.
 */
export async function getMedia(
  ctx: Context,
  usage: UsageDeps,
  { id, includesUsage }: { id: string; includesUsage: boolean },
): Promise<{ item: ItemWithUsage }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  if (!includesUsage) return { item: toMediaItemResponse(item) };
  const summaryOf = await usageSummaries(ctx, usage, [id]);
  return { item: { ...toMediaItemResponse(item), usage: summaryOf(id) } };
}

/**
 * Updates the given properties of an item; an empty update changes nothing (contract 11).
 * @throws QuireError NOT_FOUND (item or folder), FORBIDDEN on an item of another author.
 */
export async function updateMedia(
  ctx: Context,
  { id, update }: { id: string; update: MediaUpdate },
): Promise<{ item: MediaItemResponse }> {
  const current = await selectItemById(ctx.db, id);
  if (!current) throw notFound('media item');
  assertOnRow(ctx.principal, 'media:edit', current.authorId);
  if (Object.values(update).every((value) => value === undefined))
    return { item: toMediaItemResponse(current) };
  const item = await updateItem(ctx.db, id, update);
  if (!item) throw notFound('media item');
  return { item: toMediaItemResponse(item) };
}

interface DeleteMediaDeps {
  objects: MediaObjects;
  notifier: MediaChangeNotifier;
}

/**
 * Deletes an item: its row, then its bytes and their variants. If the store is down, the scheduled deletions run later.
 * References to the item stay as they are (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN on an item of another author.
 */
export async function deleteMedia(
  ctx: Context,
  { objects, notifier }: DeleteMediaDeps,
  id: string,
): Promise<{ deleted: true }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  assertOnRow(ctx.principal, 'media:delete', item.authorId);
  const objectKeys = await ctx.db.transaction(async (tx) => {
    const deleted = await deleteItem(tx, id);
    if (!deleted) throw notFound('media item');
    await audit(ctx, tx, { action: 'media.deleted', target: { type: 'media', id } });
    const { objectKey, status } = deleted;
    // The object of an item that never became ready has a scheduled deletion since the upload target was created.
    if (objectKey === null || status !== 'ready') return [];
    await scheduleObjectDeletions(tx, ctx.principal.tenant, [objectKey]);
    const variants = await scheduleVariantDeletion(tx, ctx.principal.tenant, objectKey);
    await notifier.fileChanged(tx, ctx, id);
    return [objectKey, ...variants];
  });
  for (const objectKey of objectKeys) await objects.remove(ctx, objectKey);
  return { deleted: true };
}

/** @returns the files of the ready items with these ids; unknown ids are left out. */
export async function filesByIds(ctx: Context, ids: readonly string[]): Promise<mediaApi.MediaFile[]> {
  return toFiles(await selectItemsByIds(ctx.db, ids));
}

/** @returns the files of the ready items with these storage keys; unknown keys are left out. */
export async function filesByStorageKeys(
  ctx: Context,
  storageKeys: readonly string[],
): Promise<mediaApi.MediaFile[]> {
  return toFiles(await selectItemsByStorageKeys(ctx.db, storageKeys));
}

function toFiles(items: readonly ItemRow[]): mediaApi.MediaFile[] {
  // Parsed to drop the members that other services do not read.
  return items.map((item) => mediaApi.mediaFileSchema.parse(toMediaItemResponse(item)));
}
