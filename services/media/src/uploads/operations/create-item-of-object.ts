import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { mediaApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { ulid } from 'ulid';
import type { ImageDetails } from '../../images/index.js';
import { selectItemById, toMediaItemResponse, type ItemRow } from '../../items/index.js';
import { cancelObjectDeletion } from '../../objects/index.js';
import { defaultAllowedTypes, detectType, typeOfDownload } from '../../types/index.js';
import { cleanFileName, fileExtension } from '../file-name.js';
import { assertTypeAllowed } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import { insertItem, lockContentHash, selectItemByContent } from '../uploads.repository.js';

/** Time in which another part of the installation stores an object and makes an item of it. */
const reservationSeconds = 3600;

type StoredObject = RequestOf<typeof mediaApi.createItemOfObject>;
type CreatedItem = ResponseOf<typeof mediaApi.createItemOfObject>;

/** Reserves keys of objects that the caller stores itself. They are deleted unless an item is created of them. */
export async function reserveObjects(
  ctx: Context,
  { objects }: UploadDeps,
  count: number,
): Promise<{ objectKeys: string[] }> {
  return { objectKeys: await objects.reserveMany(ctx, count, { afterSeconds: reservationSeconds }) };
}

/**
 * Creates a ready item of an object that the caller stored under a reserved key. Equal bytes of the same type are one
 * item: xxHash64 and size find it, SHA-256 decides (decision 60). The caller's hashes and size are trusted; the type
 * comes from the bytes. The object is deleted unless it became an item.
 * @returns the item; `isNew` is also true for the item that an earlier call with the same id created
 * @throws QuireError INVALID_TYPE for a type that uploads may not have, SERVICE_UNAVAILABLE.
 */
export async function createItemOfObject(
  ctx: Context,
  deps: UploadDeps,
  object: StoredObject,
): Promise<CreatedItem> {
  if (!object.objectKey.startsWith(`${ctx.principal.tenant.id}/`))
    throw new QuireError('INVALID_STORAGE_KEY', 'objectKey: is not a reserved key of this site');
  let isStored = false;
  try {
    const mimeType = await allowedTypeOf(object);
    const known = await selectItemByContent(ctx.db, object, mimeType);
    const item =
      known ?? (await storeIfNew(ctx, object, mimeType, await detailsOf(ctx, deps, object, mimeType)));
    isStored = item.objectKey === object.objectKey;
    return { id: item.id, url: toMediaItemResponse(item).url, isNew: item.id === object.id || isStored };
  } finally {
    if (!isStored) await deps.objects.remove(ctx, object.objectKey);
  }
}

/** @throws QuireError INVALID_TYPE. */
async function allowedTypeOf({ sample, declaredTypes }: StoredObject): Promise<string> {
  const type = typeOfDownload(await detectType(Buffer.from(sample, 'base64')), declaredTypes);
  if (type === undefined) throw new QuireError('INVALID_TYPE', 'The file has no known type');
  assertTypeAllowed(type, defaultAllowedTypes);
  return type;
}

async function detailsOf(
  ctx: Context,
  { images, objects }: UploadDeps,
  { objectKey, size }: StoredObject,
  mimeType: string,
): Promise<ImageDetails> {
  const source = { mimeType, size, open: objects.opener(objectKey) };
  const { isRotated: _, ...details } = await images.read(ctx.principal.tenant.id, source);
  return details;
}

async function storeIfNew(
  ctx: Context,
  { id, objectKey, size, sha256, xxh64, filename, alt, caption, authorId }: StoredObject,
  mimeType: string,
  details: ImageDetails,
): Promise<ItemRow> {
  const name = cleanFileName(filename);
  return ctx.db.transaction(async (tx) => {
    await lockContentHash(tx, { sha256 });
    const known = await selectItemByContent(tx, { sha256, xxh64, size }, mimeType);
    if (known) return known;
    await cancelObjectDeletion(tx, objectKey);
    // An earlier call with the id stored other bytes: the source has changed in between.
    const isTaken = (await selectItemById(tx, id)) !== undefined;
    return insertItem(tx, {
      ...details,
      id: isTaken ? ulid() : id,
      filename: name,
      mimeType,
      size,
      sha256,
      xxh64,
      objectKey,
      storageKey: `${ulid()}${fileExtension(mimeType, name)}`,
      alt,
      caption,
      folderId: null,
      authorId,
    });
  });
}
