import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { ObjectNotFound } from '@quire/object-store';
import type { ImageDetails } from '../../images/index.js';
import {
  toMediaItemResponse,
  selectItemById,
  type MediaItemResponse,
  type ItemRow,
} from '../../items/index.js';
import { cancelObjectDeletion } from '../../objects/index.js';
import { itemChangedError, assertPending, assertUploader } from '../pending.policy.js';
import { markReady, markFailed, selectUpload } from '../pending.repository.js';
import { computeFingerprint, type Fingerprint } from '../receive-file.js';
import { verifyDimensions } from '../declared-dimensions.js';
import { assertTypeMatchesContent } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import { lockContentHash } from '../uploads.repository.js';
import type { Confirmation } from '../uploads.schemas.js';

const reservationSeconds = 3600;

/**
 * Verifies the bytes of a pending item and makes it ready. A ready item is returned unchanged (document 1, Media item;
 * contract 11). The verified bytes are a copy without a public address, so that no client can change them.
 * @throws QuireError NOT_FOUND, FORBIDDEN, INVALID_STATE (failed, or changed by another request), FILE_NOT_FOUND,
 *   UPLOAD_SIZE_MISMATCH, INVALID_TYPE, VALIDATION_ERROR (dimensions), NO_STORAGE, STORAGE_QUOTA_EXCEEDED,
 *   SERVICE_UNAVAILABLE.
 */
export async function confirmMediaUpload(
  ctx: Context,
  deps: UploadDeps,
  id: string,
  confirmation: Confirmation,
): Promise<{ item: MediaItemResponse }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  assertUploader(ctx.principal, item);
  if (item.status === 'ready') return { item: toMediaItemResponse(item) };
  assertPending(item);
  if (confirmation.size !== undefined) assertSize(item.size, confirmation.size);
  const objectKey = await copyUpload(ctx, deps, item);
  try {
    const verified = await verify(ctx, deps, item, objectKey, confirmation);
    return { item: toMediaItemResponse(await store(ctx, deps, item, { ...verified, objectKey })) };
  } finally {
    // The deletion is cancelled by now, unless the upload was rejected or another request won.
    await deps.objects.remove(ctx, objectKey);
  }
}

/**
 * `confirmMediaUpload` for the storage key of the caller's upload target (spec document 2, rule 8).
 * @throws QuireError INVALID_STORAGE_KEY for a key that no target of the caller has, INVALID_STATE for an item that is
 *   not pending, and as `confirmMediaUpload`.
 */
export async function confirmUploadByKey(
  ctx: Context,
  deps: UploadDeps,
  storageKey: string,
): Promise<{ item: MediaItemResponse }> {
  const item = await selectUpload(ctx.db, { storageKey, authorId: ctx.principal.userId });
  if (!item)
    throw new QuireError('INVALID_STORAGE_KEY', 'storageKey: no upload target of this user has this key');
  assertPending(item);
  return confirmMediaUpload(ctx, deps, item.id, {});
}

/** @throws QuireError FILE_NOT_FOUND, which marks the item as failed; INVALID_STATE when the upload changed. */
async function copyUpload(ctx: Context, { objects }: UploadDeps, item: ItemRow): Promise<string> {
  const uploadKey = item.objectKey;
  const stored = uploadKey === null ? undefined : await objects.stat(uploadKey);
  if (uploadKey === null || !stored) return missing(ctx, item);
  assertSize(item.size, stored.size);
  const objectKey = await objects.reserve(ctx, { afterSeconds: reservationSeconds });
  try {
    await objects.copy(uploadKey, objectKey);
    return objectKey;
  } catch (error) {
    await objects.remove(ctx, objectKey);
    if (error instanceof ObjectNotFound) throw await changeOf(ctx, item.id);
    throw error;
  }
}

async function missing(ctx: Context, { id, objectKey }: ItemRow): Promise<never> {
  if (!(await markFailed(ctx.db, id, objectKey))) throw await changeOf(ctx, id);
  throw new QuireError('FILE_NOT_FOUND', 'No file was uploaded. Request a new upload target.');
}

async function verify(
  ctx: Context,
  { objects, images }: UploadDeps,
  { mimeType, size }: ItemRow,
  objectKey: string,
  declared: Confirmation,
): Promise<Fingerprint & ImageDetails> {
  const open = objects.opener(objectKey);
  const bytes = await open();
  if (!bytes) throw new Error('Copied object is missing');
  const fingerprint = await computeFingerprint(bytes);
  assertSize(size, fingerprint.size);
  assertTypeMatchesContent(mimeType, fingerprint.detectedType);
  const image = await images.read(ctx.principal.tenant.id, { mimeType, size, open });
  return { ...fingerprint, ...verifyDimensions(declared, image) };
}

/** @throws QuireError UPLOAD_SIZE_MISMATCH. */
function assertSize(declared: number, found: number): void {
  if (found !== declared)
    throw new QuireError('UPLOAD_SIZE_MISMATCH', `Expected ${declared} bytes, found ${found}`);
}

async function store(
  ctx: Context,
  { quota }: UploadDeps,
  { id, objectKey: uploadKey }: ItemRow,
  verified: Fingerprint & ImageDetails & { objectKey: string },
): Promise<ItemRow> {
  const ready = await ctx.db.transaction(async (tx) => {
    await lockContentHash(tx, verified);
    const item = await markReady(tx, id, uploadKey ?? '', verified);
    if (!item) return undefined;
    await cancelObjectDeletion(tx, verified.objectKey);
    await quota.assertKept(tx, ctx, item.size);
    return item;
  });
  if (ready) return ready;
  const now = await selectItemById(ctx.db, id);
  if (now?.status === 'ready') return now;
  throw await changeOf(ctx, id);
}

/** The error for an item that was changed or deleted during the verification of its bytes. */
async function changeOf(ctx: Context, id: string): Promise<QuireError> {
  return (await selectItemById(ctx.db, id)) ? itemChangedError() : notFound('media item');
}
