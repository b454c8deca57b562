import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { StreamedBody } from '@quire/http-server';
import type { KeyedRequest, SaveResponse } from '@quire/idempotency';
import { ulid, type JsonText } from '@quire/values';
import { isRaster, type ImageDetails } from '../../images/index.js';
import { idempotencyKeys } from '../../idempotency/index.js';
import { toMediaItemResponse, type MediaItemResponse, type ItemRow } from '../../items/index.js';
import { cleanFileName, fileExtension } from '../file-name.js';
import { preferDeclaredDimensions } from '../declared-dimensions.js';
import { readUploadForm, assertTypeAllowed, type UploadForm } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import { insertItemOfNewContent, selectItemByContent, type StoredUpload } from '../uploads.repository.js';
import { uploadFields, type UploadFields } from '../uploads.schemas.js';

/** An uploaded item, or the existing one with the same bytes. */
export interface UploadResult {
  item: MediaItemResponse;
  deduplicated?: true;
}

/**
 * Receives a file in one request and creates a ready item (document 1, Media 4; contract 11). Uploads of bytes that a
 * ready item has return that item, also concurrent ones.
 * @param request present if the client sent an idempotency key
 * @throws QuireError NO_FILE, INVALID_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_ERROR, NOT_FOUND (folder), NO_STORAGE,
 *   STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE, IDEMPOTENCY_CONFLICT.
 */
export async function uploadMedia(
  ctx: Context,
  deps: UploadDeps,
  body: StreamedBody,
  request?: KeyedRequest,
): Promise<UploadResult | JsonText> {
  return storeUpload(ctx, deps, await readUploadForm(ctx, deps, body, uploadFields), request);
}

/**
 * Creates a ready item of a received file, or returns the item with the same bytes; then the received file is deleted.
 * @throws QuireError INVALID_TYPE, VALIDATION_ERROR (fieldId), NOT_FOUND (folder), STORAGE_QUOTA_EXCEEDED,
 *   SERVICE_UNAVAILABLE, IDEMPOTENCY_CONFLICT.
 */
export async function storeUpload(
  ctx: Context,
  deps: UploadDeps,
  form: UploadForm<UploadFields>,
  request?: KeyedRequest,
): Promise<UploadResult | JsonText> {
  const { objectKey } = form.file;
  let isStored = false;
  try {
    return await idempotencyKeys.executeOnce(ctx, request, requestIdentityOf(form), async (save) => {
      assertTypeAllowed(form.mimeType, await deps.types.allowed(ctx, form.fields.fieldId));
      // Saves the reading of an image. Other files are compared only when they are stored.
      const known = hasDetails(form) ? await selectItemByContent(ctx.db, form.file) : undefined;
      const uploaded = known
        ? await respondWithExisting(ctx, known, save)
        : await storeIfNew(ctx, deps, form, { details: await detailsOf(ctx, deps, form), save });
      isStored = uploaded.deduplicated === undefined;
      return uploaded;
    });
  } finally {
    if (!isStored) await deps.objects.remove(ctx, objectKey);
  }
}

/** The identity of the form: another form with the same idempotency key is a conflict. */
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
  const uploaded = toUploadResult({ item, isNew: false });
  if (save) await ctx.db.transaction((tx) => save(tx, 200, uploaded));
  return uploaded;
}

/** Whether properties of the image must be read. */
function hasDetails({ mimeType, thumbnail }: UploadForm<UploadFields>): boolean {
  return thumbnail !== undefined || isRaster(mimeType);
}

/** Declared dimensions, and the other properties of the image's bytes. */
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
  { quota }: UploadDeps,
  { file, fields, mimeType, filename }: UploadForm<UploadFields>,
  { details, save }: { details: ImageDetails; save: SaveResponse | undefined },
): Promise<UploadResult> {
  const name = cleanFileName(filename);
  const newItem = {
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
  };
  if (!save && quota.bytesOf(ctx) === undefined)
    return toUploadResult(await insertItemOfNewContent(ctx.db, newItem));
  return ctx.db.transaction(async (tx) => {
    const stored = await insertItemOfNewContent(tx, newItem);
    const uploaded = toUploadResult(stored);
    if (save) await save(tx, stored.isNew ? 201 : 200, uploaded);
    await quota.assertKept(tx, ctx, stored.isNew ? file.size : 0);
    return uploaded;
  });
}

function toUploadResult({ item, isNew }: StoredUpload): UploadResult {
  return { item: toMediaItemResponse(item), ...(!isNew && { deduplicated: true }) };
}
