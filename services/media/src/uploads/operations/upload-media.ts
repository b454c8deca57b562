import type { Context } from '@quire/context';
import type { StreamedBody } from '@quire/http-server';
import { ulid } from 'ulid';
import type { ImageDetails } from '../../images/index.js';
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
 * @throws QuireError NO_FILE, INVALID_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_ERROR, NOT_FOUND (folder), NO_STORAGE, SERVICE_UNAVAILABLE.
 */
export async function uploadMedia(
  ctx: Context,
  services: UploadServices,
  body: StreamedBody,
): Promise<Uploaded> {
  const form = await readUploadForm(ctx, services, body, uploadFields);
  const { objectKey } = form.file;
  let isKept = false;
  try {
    requireAllowed(form.mimeType, await services.types.allowed(ctx, form.fields.fieldId));
    const known = await itemOfBytes(ctx.db, form.file);
    const { item, isNew } = known
      ? { item: known, isNew: false }
      : await storeOnce(ctx, form, await detailsOf(services, form));
    isKept = isNew;
    return isNew ? { item: itemAnswer(item) } : { item: itemAnswer(item), deduplicated: true };
  } finally {
    if (!isKept) await services.objects.remove(ctx, objectKey);
  }
}

/** What the client says of an image, and what its bytes say of the rest. */
async function detailsOf(
  { images, objects }: UploadServices,
  { file, fields, mimeType, thumbnail }: UploadForm<UploadFields>,
): Promise<ImageDetails> {
  const open = objects.opener(file.objectKey);
  return believeDimensions(fields, await images.read({ mimeType, size: file.size, open }, thumbnail));
}

async function storeOnce(
  ctx: Context,
  { file, fields, mimeType, filename }: UploadForm<UploadFields>,
  details: ImageDetails,
): Promise<{ item: ItemRow; isNew: boolean }> {
  const name = cleanFileName(filename);
  return ctx.db.transaction(async (tx) => {
    await holdBytes(tx, file);
    const known = await itemOfBytes(tx, file);
    if (known) return { item: known, isNew: false };
    await spare(tx, file.objectKey);
    const item = await insertItem(tx, {
      ...details,
      id: ulid(),
      filename: name,
      mimeType,
      size: file.size,
      sha256: file.sha256,
      contentHash: file.contentHash,
      objectKey: file.objectKey,
      storageKey: `${ulid()}${keyEnding(mimeType, name)}`,
      alt: fields.alt ?? null,
      caption: fields.caption ?? null,
      folderId: fields.folderId ?? null,
      authorId: ctx.principal.userId,
    });
    return { item, isNew: true };
  });
}
