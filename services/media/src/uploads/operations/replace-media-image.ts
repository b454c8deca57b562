import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { assertOnRow } from '@quire/permissions';
import type { ImageDetails } from '../../images/index.js';
import {
  toMediaItemResponse,
  selectItemById,
  type MediaItemResponse,
  type ItemRow,
} from '../../items/index.js';
import { scheduleObjectDeletions, cancelObjectDeletion } from '../../objects/index.js';
import { scheduleVariantDeletion } from '../../variants/index.js';
import { itemChangedError } from '../pending.policy.js';
import { updateItemBytes, type VerifiedBytes } from '../pending.repository.js';
import { verifyDimensions } from '../declared-dimensions.js';
import { readUploadForm, assertTypeAllowed, type UploadForm } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import { lockContentHash } from '../uploads.repository.js';
import { replacementFields, type ReplacementFields } from '../uploads.schemas.js';

const replaceableTypes = ['image/jpeg', 'image/png', 'image/webp'];

/**
 * Replaces the bytes of an image by others of the same type, and deletes the former bytes with their variants. Id, file
 * name, key, texts and folder do not change (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN, INVALID_STATE (not ready, or changed by another request), NO_FILE,
 *   INVALID_TYPE, VALIDATION_ERROR, PAYLOAD_TOO_LARGE, NO_STORAGE, STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE.
 */
export async function replaceMediaImage(
  ctx: Context,
  deps: UploadDeps,
  id: string,
  body: StreamedBody,
): Promise<{ item: MediaItemResponse }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  assertOnRow(ctx.principal, 'media:edit', item.authorId);
  if (item.status !== 'ready')
    throw new QuireError(
      'INVALID_STATE',
      `The media item is ${item.status}. Only a ready item can be replaced.`,
    );
  const form = await readUploadForm(ctx, deps, body, replacementFields);
  try {
    assertTypeAllowed(
      form.mimeType,
      replaceableTypes.filter((type) => type === item.mimeType),
    );
    const details = await detailsOf(ctx, deps, form);
    return { item: toMediaItemResponse(await store(ctx, deps, item, { ...form.file, ...details })) };
  } finally {
    // The deletion is cancelled by now, unless the upload was rejected.
    await deps.objects.remove(ctx, form.file.objectKey);
  }
}

/** @throws QuireError VALIDATION_ERROR when the image has other dimensions than declared. */
async function detailsOf(
  ctx: Context,
  { images, objects }: UploadDeps,
  { file, fields, mimeType }: UploadForm<ReplacementFields>,
): Promise<ImageDetails> {
  const open = objects.opener(file.objectKey);
  const source = { mimeType, size: file.size, open };
  return verifyDimensions(fields, await images.read(ctx.principal.tenant.id, source));
}

async function store(
  ctx: Context,
  { objects, notifier, quota }: UploadDeps,
  { id, objectKey: formerKey, size }: ItemRow,
  bytes: VerifiedBytes,
): Promise<ItemRow> {
  if (formerKey === null) throw new Error('A ready item has no object');
  const replaced = await ctx.db.transaction(async (tx) => {
    await lockContentHash(tx, bytes);
    const item = await updateItemBytes(tx, id, formerKey, bytes);
    if (!item) return undefined;
    await cancelObjectDeletion(tx, bytes.objectKey);
    await scheduleObjectDeletions(tx, ctx.principal.tenant, [formerKey]);
    const variants = await scheduleVariantDeletion(tx, ctx.principal.tenant, formerKey);
    await notifier.fileChanged(tx, ctx, id);
    await quota.assertKept(tx, ctx, bytes.size - size);
    return { item, deletedKeys: [formerKey, ...variants] };
  });
  if (!replaced) throw (await selectItemById(ctx.db, id)) ? itemChangedError() : notFound('media item');
  for (const objectKey of replaced.deletedKeys) await objects.remove(ctx, objectKey);
  return replaced.item;
}
