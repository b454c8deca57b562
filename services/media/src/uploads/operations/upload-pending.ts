import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { itemById } from '../../items/index.js';
import { doom, prolong } from '../../objects/index.js';
import { plainType } from '../../types/index.js';
import { changedMeanwhile, endOf, isExpired, requirePending, requireUploader } from '../pending.policy.js';
import { moveUpload } from '../pending.repository.js';
import { receiveFile } from '../receive-file.js';
import type { UploadServices } from '../upload-services.js';

/**
 * Takes the bytes of a pending item; later ones replace them until it is confirmed (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN, INVALID_STATE, INVALID_TYPE for another type than the announced one, NO_FILE,
 *   PAYLOAD_TOO_LARGE for more bytes than announced, UPLOAD_SIZE_MISMATCH for fewer, NO_STORAGE, SERVICE_UNAVAILABLE.
 */
export async function uploadPending(
  ctx: Context,
  { objects }: UploadServices,
  id: string,
  body: StreamedBody,
): Promise<{ uploaded: true; size: number }> {
  const item = await itemById(ctx.db, id);
  if (!item) throw notFound('media item');
  requireUploader(ctx.principal, item);
  requirePending(item);
  if (isExpired(item))
    throw new QuireError('INVALID_STATE', 'The time to upload is over; ask for another target');
  if (plainType(body.contentType ?? '') !== item.mimeType)
    throw new QuireError('INVALID_TYPE', `Send the file as ${item.mimeType}, as it was announced`);
  if ((body.contentLength ?? 0) > item.size) throw moreThanAnnounced(item.size);
  const { objectKey, size } = await receive(ctx, objects, body, item);
  const moved = await ctx.db.transaction(async (tx) => {
    const former = await moveUpload(tx, id, objectKey);
    if (!former) return false;
    await prolong(tx, objectKey, endOf(item));
    if (former.formerKey !== null) await doom(tx, ctx.principal.tenant, former.formerKey);
    return true;
  });
  if (moved) return { uploaded: true, size };
  await objects.remove(ctx, objectKey);
  throw changedMeanwhile();
}

/** The object stays doomed: what keeps the bytes is the confirmation, by copying them. */
async function receive(
  ctx: Context,
  objects: UploadServices['objects'],
  body: StreamedBody,
  { mimeType, size: announced }: { mimeType: string; size: number },
) {
  const terms = { contentType: mimeType, maxBytes: announced, signal: body.signal };
  const file = await receiveFile(ctx, objects, body.bytes, terms).catch((error: unknown) => {
    if (error instanceof QuireError && error.code === 'PAYLOAD_TOO_LARGE') throw moreThanAnnounced(announced);
    throw error;
  });
  if (file.size === announced && file.size > 0) return file;
  await objects.remove(ctx, file.objectKey);
  if (file.size === 0) throw new QuireError('NO_FILE', 'Send the file as the body');
  throw new QuireError('UPLOAD_SIZE_MISMATCH', `${file.size} of the ${announced} announced bytes came`);
}

function moreThanAnnounced(announced: number): QuireError {
  return new QuireError('PAYLOAD_TOO_LARGE', `More than the ${announced} announced bytes came`);
}
