import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { StreamedBody } from '@quire/http-server';
import type { KeyedRequest, SaveResponse } from '@quire/idempotency';
import type { JsonText } from '@quire/values';
import { ulid } from 'ulid';
import type { ImageDetails } from '../../images/index.js';
import { idempotencyKeys } from '../../idempotency/index.js';
import { toMediaItemResponse, type MediaItemResponse, type ItemRow } from '../../items/index.js';
import { cancelObjectDeletion } from '../../objects/index.js';
import { cleanFileName, fileExtension } from '../file-name.js';
import { preferDeclaredDimensions } from '../declared-dimensions.js';
import { readUploadForm, assertTypeAllowed, type UploadForm } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import { lockContentHash, insertItem, selectItemByContent } from '../uploads.repository.js';
import { uploadFields, type UploadFields } from '../uploads.schemas.js';

/** An uploaded item, or the one that has the same bytes already. */
export interface UploadResult {
  item: MediaItemResponse;
  deduplicated?: true;
}

/**
 * Takes a file in one request and makes a ready item of it (document 1, Media 4; contract 11). Of uploads of the same
 * bytes, at whatever time, one makes an item; the others get that one.
 * @param request where the client has given the upload a key
 * @throws QuireError NO_FILE, INVALID_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_ERROR, NOT_FOUND (folder), NO_STORAGE,
 *   SERVICE_UNAVAILABLE, IDEMPOTENCY_CONFLICT.
 */
export async function uploadMedia(
  ctx: Context,
  deps: UploadDeps,
  body: StreamedBody,
  request?: KeyedRequest,
): Promise<UploadResult | JsonText> {
  const form = await readUploadForm(ctx, deps, body, uploadFields);
  const { objectKey } = form.file;
  let isStored = false;
  try {
    return await idempotencyKeys.executeOnce(ctx, request, requestIdentityOf(form), async (save) => {
      assertTypeAllowed(form.mimeType, await deps.types.allowed(ctx, form.fields.fieldId));
      const known = await selectItemByContent(ctx.db, form.file);
      const uploaded = known
        ? await respondWithExisting(ctx, known, save)
        : await storeIfNew(ctx, form, await detailsOf(ctx, deps, form), save);
      isStored = uploaded.deduplicated === undefined;
      return uploaded;
    });
  } finally {
    if (!isStored) await deps.objects.remove(ctx, objectKey);
  }
}

/** All that the form says: tells it from another that is sent under the same key. */
function requestIdentityOf({
  file,
  fields,
  mimeType,
  filename,
  thumbnail,
}: UploadForm<UploadFields>): unknown {
  const thumbnailHash = thumbnail && createHash('sha256').update(thumbnail).digest('hex');
  return [file.sha256, file.size, mimeType, filename, thumbnailHash, fields];
}

async function respondWithExisting(
  ctx: Context,
  item: ItemRow,
  save: SaveResponse | undefined,
): Promise<UploadResult> {
  const uploaded: UploadResult = { item: toMediaItemResponse(item), deduplicated: true };
  if (save) await ctx.db.transaction((tx) => save(tx, 200, uploaded));
  return uploaded;
}

/** What the client says of an image, and what its bytes say of the rest. */
async function detailsOf(
  ctx: Context,
  { images, objects }: UploadDeps,
  { file, fields, mimeType, thumbnail }: UploadForm<UploadFields>,
): Promise<ImageDetails> {
  const open = objects.opener(file.objectKey);
  const source = { mimeType, size: file.size, open };
  return preferDeclaredDimensions(fields, await images.read(ctx.principal.tenant.id, source, thumbnail));
}

async function storeIfNew(
  ctx: Context,
  { file, fields, mimeType, filename }: UploadForm<UploadFields>,
  details: ImageDetails,
  save: SaveResponse | undefined,
): Promise<UploadResult> {
  const name = cleanFileName(filename);
  return ctx.db.transaction(async (tx) => {
    await lockContentHash(tx, file);
    const known = await selectItemByContent(tx, file);
    if (known) {
      const uploaded: UploadResult = { item: toMediaItemResponse(known), deduplicated: true };
      await save?.(tx, 200, uploaded);
      return uploaded;
    }
    await cancelObjectDeletion(tx, file.objectKey);
    const item = await insertItem(tx, {
      ...details,
      id: ulid(),
      filename: name,
      mimeType,
      size: file.size,
      sha256: file.sha256,
      xxh64: file.xxh64,
      objectKey: file.objectKey,
      storageKey: `${ulid()}${fileExtension(mimeType, name)}`,
      alt: fields.alt ?? null,
      caption: fields.caption ?? null,
      folderId: fields.folderId ?? null,
      authorId: ctx.principal.userId,
    });
    const uploaded: UploadResult = { item: toMediaItemResponse(item) };
    await save?.(tx, 201, uploaded);
    return uploaded;
  });
}
