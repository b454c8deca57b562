import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { StreamedBody } from '@quire/http-server';
import type { KeyedRequest, SaveAnswer } from '@quire/idempotency';
import type { JsonText } from '@quire/json';
import { ulid } from 'ulid';
import type { ImageDetails } from '../../images/index.js';
import { idempotencyKeys } from '../../idempotency/index.js';
import { itemAnswer, type ItemAnswer, type ItemRow } from '../../items/index.js';
import { spare } from '../../objects/index.js';
import { cleanFileName, keyEnding } from '../file-name.js';
import { believeDimensions } from '../said-dimensions.js';
import { readUploadForm, requireAllowed, type UploadForm } from '../upload-form.js';
import type { UploadServices } from '../upload-services.js';
import { holdBytes, insertItem, itemOfBytes } from '../uploads.repository.js';
import { uploadFields, type UploadFields } from '../uploads.schemas.js';

/** An uploaded item, or the one that has the same bytes already. */
export interface Uploaded {
  item: ItemAnswer;
  deduplicated?: true;
}

/**
 * Takes a file in one request and makes a ready item of it (document 1, Media 4; contract 11). Of uploads of the same bytes, at
 * whatever time, one makes an item; the others get that one.
 * @param request where the client has given the upload a key
 * @throws QuireError NO_FILE, INVALID_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_ERROR, NOT_FOUND (folder), NO_STORAGE, SERVICE_UNAVAILABLE,
 *   IDEMPOTENCY_CONFLICT.
 */
export async function uploadMedia(
  ctx: Context,
  services: UploadServices,
  body: StreamedBody,
  request?: KeyedRequest,
): Promise<Uploaded | JsonText> {
  const form = await readUploadForm(ctx, services, body, uploadFields);
  const { objectKey } = form.file;
  let isKept = false;
  try {
    return await idempotencyKeys.answerOnce(ctx, request, identityOf(form), async (save) => {
      requireAllowed(form.mimeType, await services.types.allowed(ctx, form.fields.fieldId));
      const known = await itemOfBytes(ctx.db, form.file);
      const uploaded = known
        ? await answerAgain(ctx, known, save)
        : await storeOnce(ctx, form, await detailsOf(ctx, services, form), save);
      isKept = uploaded.deduplicated === undefined;
      return uploaded;
    });
  } finally {
    if (!isKept) await services.objects.remove(ctx, objectKey);
  }
}

/** All that the form says: tells it from another that is sent under the same key. */
function identityOf({ file, fields, mimeType, filename, thumbnail }: UploadForm<UploadFields>): unknown {
  const thumbnailHash = thumbnail && createHash('sha256').update(thumbnail).digest('hex');
  return [file.sha256, file.size, mimeType, filename, thumbnailHash, fields];
}

async function answerAgain(ctx: Context, item: ItemRow, save: SaveAnswer | undefined): Promise<Uploaded> {
  const uploaded: Uploaded = { item: itemAnswer(item), deduplicated: true };
  if (save) await ctx.db.transaction((tx) => save(tx, 200, uploaded));
  return uploaded;
}

/** What the client says of an image, and what its bytes say of the rest. */
async function detailsOf(
  ctx: Context,
  { images, objects }: UploadServices,
  { file, fields, mimeType, thumbnail }: UploadForm<UploadFields>,
): Promise<ImageDetails> {
  const open = objects.opener(file.objectKey);
  const source = { mimeType, size: file.size, open };
  return believeDimensions(fields, await images.read(ctx.principal.tenant.id, source, thumbnail));
}

async function storeOnce(
  ctx: Context,
  { file, fields, mimeType, filename }: UploadForm<UploadFields>,
  details: ImageDetails,
  save: SaveAnswer | undefined,
): Promise<Uploaded> {
  const name = cleanFileName(filename);
  return ctx.db.transaction(async (tx) => {
    await holdBytes(tx, file);
    const known = await itemOfBytes(tx, file);
    if (known) {
      const uploaded: Uploaded = { item: itemAnswer(known), deduplicated: true };
      await save?.(tx, 200, uploaded);
      return uploaded;
    }
    await spare(tx, file.objectKey);
    const item = await insertItem(tx, {
      ...details,
      id: ulid(),
      filename: name,
      mimeType,
      size: file.size,
      sha256: file.sha256,
      xxh64: file.xxh64,
      objectKey: file.objectKey,
      storageKey: `${ulid()}${keyEnding(mimeType, name)}`,
      alt: fields.alt ?? null,
      caption: fields.caption ?? null,
      folderId: fields.folderId ?? null,
      authorId: ctx.principal.userId,
    });
    const uploaded: Uploaded = { item: itemAnswer(item) };
    await save?.(tx, 201, uploaded);
    return uploaded;
  });
}
