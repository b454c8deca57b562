import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { apiPrefix } from '@quire/http-server';
import { ulid } from '@quire/values';
import { toMediaItemResponse } from '../../items/index.js';
import { cleanFileName, fileExtension } from '../file-name.js';
import { graceSeconds, targetSeconds } from '../pending.policy.js';
import { insertPendingItem, selectItemByHash } from '../pending.repository.js';
import { assertTypeAllowed, requireMediaType } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import type { DeclaredFile, UploadTarget } from '../uploads.schemas.js';

/** The only hash that identifies a file: it is collision-resistant. */
const sha256Hash = /^sha256:([0-9a-f]{64})$/i;

/**
 * Creates a pending item and an upload target for its bytes, valid for an hour; or returns the ready item with the same
 * bytes (document 1, Media 5; contract 11, decision 60).
 * @throws QuireError INVALID_TYPE, VALIDATION_ERROR (size, fieldId), STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE.
 */
export async function getMediaUploadUrl(
  ctx: Context,
  deps: UploadDeps,
  { filename, contentType, size, contentHash, fieldId }: DeclaredFile,
): Promise<UploadTarget> {
  const { objects, types, quota } = deps;
  const maxBytes = deps.maxBytesOf(ctx);
  if (size > maxBytes) throw invalidInput([{ path: 'size', message: `must be at most ${maxBytes} bytes` }]);
  const mimeType = requireMediaType(contentType);
  assertTypeAllowed(mimeType, await types.allowed(ctx, fieldId));
  const sha256 = sha256Hash.exec(contentHash ?? '')?.[1]?.toLowerCase();
  if (sha256 !== undefined && size > 0) {
    const known = await selectItemByHash(ctx.db, { sha256, mimeType, size });
    if (known) {
      const { storageKey, url } = toMediaItemResponse(known);
      return { existing: true, mediaId: known.id, storageKey, url };
    }
  }
  await quota.assertRoom(ctx.db, ctx, size);
  const id = ulid();
  const name = cleanFileName(filename);
  const storageKey = `${ulid()}${fileExtension(mimeType, name)}`;
  const expiresAt = new Date(Date.now() + targetSeconds * 1000).toISOString();
  const objectKey = await objects.reserveForItem(ctx, {
    afterSeconds: targetSeconds + graceSeconds,
    itemId: id,
  });
  const terms = { contentType: mimeType, size, expiresSeconds: targetSeconds };
  const signed = await objects.signUpload(objectKey, terms);
  const authorId = ctx.principal.userId;
  await insertPendingItem(ctx.db, {
    id,
    filename: name,
    mimeType,
    size,
    storageKey,
    objectKey: signed ? objectKey : null,
    authorId,
  });
  return {
    uploadUrl: signed?.url ?? `${apiPrefix}/media/${id}/upload`,
    method: 'PUT',
    headers: signed?.headers ?? { 'Content-Type': mimeType, 'X-CMS-Request': '1' },
    mediaId: id,
    storageKey,
    expiresAt,
  };
}
