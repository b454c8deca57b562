import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { parseMediaType } from '@quire/values';
import { selectItemById } from '../../items/index.js';
import { scheduleObjectDeletions, postponeObjectDeletion } from '../../objects/index.js';
import {
  itemChangedError,
  deletionTimeOf,
  isExpired,
  assertPending,
  assertUploader,
} from '../pending.policy.js';
import { updateUploadKey } from '../pending.repository.js';
import { receiveFile } from '../receive-file.js';
import type { UploadDeps } from '../upload-deps.js';

/**
 * Receives the bytes of a pending item. Later uploads replace them until the item is confirmed (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN, INVALID_STATE, INVALID_TYPE for another type than the declared one,
 *   NO_FILE, PAYLOAD_TOO_LARGE for more bytes than declared, UPLOAD_SIZE_MISMATCH for fewer, NO_STORAGE,
 *   SERVICE_UNAVAILABLE.
 */
export async function uploadPendingMedia(
  ctx: Context,
  { objects }: UploadDeps,
  id: string,
  body: StreamedBody,
): Promise<{ uploaded: true; size: number }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  assertUploader(ctx.principal, item);
  assertPending(item);
  if (isExpired(item))
    throw new QuireError('INVALID_STATE', 'The upload target has expired. Request a new one.');
  if (parseMediaType(body.contentType ?? '') !== item.mimeType)
    throw new QuireError('INVALID_TYPE', `The content type must be ${item.mimeType}, as declared`);
  if ((body.contentLength ?? 0) > item.size) throw tooManyBytesError(item.size);
  const { objectKey, size } = await receive(ctx, objects, body, item);
  const moved = await ctx.db.transaction(async (tx) => {
    const former = await updateUploadKey(tx, id, objectKey);
    if (!former) return false;
    await postponeObjectDeletion(tx, objectKey, deletionTimeOf(item));
    if (former.formerKey !== null)
      await scheduleObjectDeletions(tx, ctx.principal.tenant, [former.formerKey]);
    return true;
  });
  if (moved) return { uploaded: true, size };
  await objects.remove(ctx, objectKey);
  throw itemChangedError();
}

/** Stores the bytes. Their deletion stays scheduled, because the confirmation copies them. */
async function receive(
  ctx: Context,
  objects: UploadDeps['objects'],
  body: StreamedBody,
  { mimeType, size: declared }: { mimeType: string; size: number },
) {
  const terms = { contentType: mimeType, maxBytes: declared, signal: body.signal };
  const file = await receiveFile(ctx, objects, body.bytes, terms).catch((error: unknown) => {
    if (error instanceof QuireError && error.code === 'PAYLOAD_TOO_LARGE') throw tooManyBytesError(declared);
    throw error;
  });
  if (file.size === declared && file.size > 0) return file;
  await objects.remove(ctx, file.objectKey);
  if (file.size === 0) throw new QuireError('NO_FILE', 'The request body must contain the file');
  throw new QuireError('UPLOAD_SIZE_MISMATCH', `Received ${file.size} of ${declared} declared bytes`);
}

function tooManyBytesError(declared: number): QuireError {
  return new QuireError('PAYLOAD_TOO_LARGE', `Received more than the ${declared} declared bytes`);
}
