import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { ObjectNotFound } from '@quire/object-store';
import type { ImageDetails } from '../../images/index.js';
import { itemAnswer, itemById, type ItemAnswer, type ItemRow } from '../../items/index.js';
import { spare } from '../../objects/index.js';
import { changedMeanwhile, requirePending, requireUploader } from '../pending.policy.js';
import { makeReady, markFailed } from '../pending.repository.js';
import { fingerprintOf, type Fingerprint } from '../receive-file.js';
import { requireDimensions } from '../said-dimensions.js';
import { requireHonest } from '../upload-form.js';
import type { UploadServices } from '../upload-services.js';
import { holdBytes } from '../uploads.repository.js';
import type { Confirmation } from '../uploads.schemas.js';

const patienceSeconds = 3600;

/**
 * Verifies the bytes of a pending item and makes it ready; of a ready one it answers what is (document 1, Media item; contract 11).
 * What is verified is a copy that nobody has an address of, so that nothing changes under it.
 * @throws QuireError NOT_FOUND, FORBIDDEN, INVALID_STATE (failed, or changed meanwhile), FILE_NOT_FOUND, UPLOAD_SIZE_MISMATCH,
 *   INVALID_TYPE, VALIDATION_ERROR (dimensions), NO_STORAGE, SERVICE_UNAVAILABLE.
 */
export async function confirmUpload(
  ctx: Context,
  services: UploadServices,
  id: string,
  confirmation: Confirmation,
): Promise<{ item: ItemAnswer }> {
  const item = await itemById(ctx.db, id);
  if (!item) throw notFound('media item');
  requireUploader(ctx.principal, item);
  if (item.status === 'ready') return { item: itemAnswer(item) };
  requirePending(item);
  if (confirmation.size !== undefined) requireSize(item.size, confirmation.size);
  const objectKey = await copyUpload(ctx, services, item);
  try {
    const verified = await verify(ctx, services, item, objectKey, confirmation);
    return { item: itemAnswer(await store(ctx, item, { ...verified, objectKey })) };
  } finally {
    // Spared by now, unless something was refused or somebody else was quicker.
    await services.objects.remove(ctx, objectKey);
  }
}

/** @throws QuireError FILE_NOT_FOUND, which ends the item; INVALID_STATE when bytes came meanwhile. */
async function copyUpload(ctx: Context, { objects }: UploadServices, item: ItemRow): Promise<string> {
  const uploadKey = item.objectKey;
  const stored = uploadKey === null ? undefined : await objects.stat(uploadKey);
  if (uploadKey === null || !stored) return missing(ctx, item);
  requireSize(item.size, stored.size);
  const objectKey = await objects.reserve(ctx, { afterSeconds: patienceSeconds });
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
  throw new QuireError('FILE_NOT_FOUND', 'No file was uploaded; ask for another target');
}

async function verify(
  ctx: Context,
  { objects, images }: UploadServices,
  { mimeType, size }: ItemRow,
  objectKey: string,
  said: Confirmation,
): Promise<Fingerprint & ImageDetails> {
  const open = objects.opener(objectKey);
  const bytes = await open();
  if (!bytes) throw new Error('A copied object is gone');
  const fingerprint = await fingerprintOf(bytes);
  requireSize(size, fingerprint.size);
  requireHonest(mimeType, fingerprint.detectedType);
  const image = await images.read(ctx.principal.tenant.id, { mimeType, size, open });
  return { ...fingerprint, ...requireDimensions(said, image) };
}

/** @throws QuireError UPLOAD_SIZE_MISMATCH. */
function requireSize(announced: number, found: number): void {
  if (found !== announced)
    throw new QuireError('UPLOAD_SIZE_MISMATCH', `${announced} bytes were announced, not ${found}`);
}

async function store(
  ctx: Context,
  { id, objectKey: uploadKey }: ItemRow,
  verified: Fingerprint & ImageDetails & { objectKey: string },
): Promise<ItemRow> {
  const ready = await ctx.db.transaction(async (tx) => {
    await holdBytes(tx, verified);
    const item = await makeReady(tx, id, uploadKey ?? '', verified);
    if (item) await spare(tx, verified.objectKey);
    return item;
  });
  if (ready) return ready;
  const now = await itemById(ctx.db, id);
  if (now?.status === 'ready') return now;
  throw await changeOf(ctx, id);
}

/** What happened to an item while its bytes were looked at. */
async function changeOf(ctx: Context, id: string): Promise<QuireError> {
  return (await itemById(ctx.db, id)) ? changedMeanwhile() : notFound('media item');
}
