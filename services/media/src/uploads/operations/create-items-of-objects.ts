import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { mediaApi, type RequestOf, type ResponseOf } from '@quire/internal-api';
import { ulid } from '@quire/values';
import type { ImageDetails } from '../../images/index.js';
import { selectExistingIds, toMediaItemResponse, type ItemRow } from '../../items/index.js';
import { cancelObjectDeletions } from '../../objects/index.js';
import { detectType, typeOfDownload } from '../../types/index.js';
import { cleanFileName, fileExtension } from '../file-name.js';
import { assertTypeAllowed } from '../upload-form.js';
import type { UploadDeps } from '../upload-deps.js';
import { insertItems, lockContentHashes, selectItemsByContent, type NewItem } from '../uploads.repository.js';

/** Time in which another part of the installation stores objects and makes items of them. */
const reservationSeconds = 3600;

type StoredObjects = RequestOf<typeof mediaApi.createItemsOfObjects>;
type StoredObject = StoredObjects['objects'][number];
type CreatedItems = ResponseOf<typeof mediaApi.createItemsOfObjects>;

/** An object with the type of its bytes. */
type TypedObject = StoredObject & { mimeType: string };
type InspectedObject = TypedObject & { details: ImageDetails };

/** Reserves keys of objects that the caller stores itself. They are deleted unless an item is created of them. */
export async function reserveObjects(
  ctx: Context,
  { objects }: UploadDeps,
  count: number,
): Promise<{ objectKeys: string[] }> {
  return { objectKeys: await objects.reserveMany(ctx, count, { afterSeconds: reservationSeconds }) };
}

/**
 * Creates ready items of objects that the caller stored under reserved keys. Equal bytes of the same type are one item:
 * xxHash64 and size find it, SHA-256 decides (decision 60). The caller's hashes and sizes are trusted; the types come
 * from the bytes. Objects that did not become items are deleted.
 * @returns for each object its item, or INVALID_TYPE for a type that uploads may not have; `isNew` is also true for an
 *   item that an earlier call with the same id created
 * @throws QuireError INVALID_STORAGE_KEY, STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE: then no item is created
 */
export async function createItemsOfObjects(
  ctx: Context,
  deps: UploadDeps,
  { objects }: StoredObjects,
): Promise<CreatedItems> {
  if (!objects.every(({ objectKey }) => objectKey.startsWith(`${ctx.principal.tenant.id}/`)))
    throw new QuireError('INVALID_STORAGE_KEY', 'objectKey: is not a reserved key of this site');
  let items: ReadonlyMap<string, ItemRow> = new Map();
  try {
    const typed = await Promise.all(objects.map(withType));
    items = await itemsOf(
      ctx,
      deps,
      typed.filter((each): each is TypedObject => !('error' in each)),
    );
    return {
      results: typed.map((each) => ('error' in each ? each : resultOf(each, items.get(each.objectKey)))),
    };
  } finally {
    const unused = objects.filter(({ objectKey }) => items.get(objectKey)?.objectKey !== objectKey);
    await Promise.all(unused.map(({ objectKey }) => deps.objects.remove(ctx, objectKey)));
  }
}

async function withType(
  object: StoredObject,
): Promise<TypedObject | { error: { code: string; message: string } }> {
  const detected = await detectType(Buffer.from(object.sample, 'base64'));
  const mimeType = typeOfDownload(detected, object.declaredTypes);
  if (mimeType === undefined)
    return { error: { code: 'INVALID_TYPE', message: 'The file has no known type' } };
  try {
    assertTypeAllowed(mimeType, mediaApi.defaultAllowedTypes);
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
  return { ...object, mimeType };
}

function resultOf(
  { id, objectKey }: TypedObject,
  item: ItemRow | undefined,
): CreatedItems['results'][number] {
  if (!item) throw new Error(`${objectKey} has no item`);
  const isNew = item.id === id || item.objectKey === objectKey;
  return { id: item.id, url: toMediaItemResponse(item).url, isNew };
}

/** The items of objects by their keys: known ones and new ones. */
async function itemsOf(
  ctx: Context,
  deps: UploadDeps,
  objects: readonly TypedObject[],
): Promise<Map<string, ItemRow>> {
  const known = await selectItemsByContent(ctx.db, objects);
  const unknown = objects.filter((object, index) => {
    const isFirst = objects.findIndex((other) => contentOf(other) === contentOf(object)) === index;
    return isFirst && !known[index];
  });
  const created = await storeIfNew(ctx, deps, await inspect(ctx, deps, unknown));
  const items = new Map<string, ItemRow>(
    [...known, ...created].flatMap((item) =>
      item ? [[`${item.contentHash} ${item.mimeType}`, item] as const] : [],
    ),
  );
  return new Map(
    objects.flatMap((object) => {
      const item = items.get(contentOf(object));
      return item ? [[object.objectKey, item] as const] : [];
    }),
  );
}

const contentOf = ({ sha256, mimeType }: TypedObject) => `sha256:${sha256} ${mimeType}`;

function inspect(
  ctx: Context,
  { images, objects }: UploadDeps,
  unknown: readonly TypedObject[],
): Promise<InspectedObject[]> {
  return Promise.all(
    unknown.map(async (object) => {
      const { mimeType, size, objectKey } = object;
      const source = { mimeType, size, open: objects.opener(objectKey) };
      const { isRotated: _, ...details } = await images.read(ctx.principal.tenant.id, source);
      return { ...object, details };
    }),
  );
}

/** @returns the items of the objects, or those of other calls that stored the same bytes during the inspection */
async function storeIfNew(
  ctx: Context,
  { quota }: UploadDeps,
  objects: readonly InspectedObject[],
): Promise<ItemRow[]> {
  if (objects.length === 0) return [];
  return ctx.db.transaction(async (tx) => {
    await lockContentHashes(tx, objects);
    const known = await selectItemsByContent(tx, objects);
    const unknown = objects.filter((_, index) => !known[index]);
    const keys = unknown.map(({ objectKey }) => objectKey);
    await cancelObjectDeletions(tx, keys);
    const ids = unknown.map(({ id }) => id);
    // An earlier call with the id stored other bytes: the source has changed in between.
    const taken = await selectExistingIds(tx, ids);
    const rows = unknown.map((object) => rowOf(object, taken.has(object.id) ? ulid() : object.id));
    const inserted = await insertItems(tx, rows);
    await quota.assertKept(
      tx,
      ctx,
      rows.reduce((sum, { size }) => sum + size, 0),
    );
    return [...known.filter((item) => item !== undefined), ...inserted];
  });
}

function rowOf(object: InspectedObject, id: string): NewItem {
  const { details, mimeType, size, sha256, xxh64, objectKey, alt, caption, authorId } = object;
  const filename = cleanFileName(object.filename);
  const storageKey = `${ulid()}${fileExtension(mimeType, filename)}`;
  return {
    ...details,
    id,
    filename,
    mimeType,
    size,
    sha256,
    xxh64,
    objectKey,
    storageKey,
    alt,
    caption,
    folderId: null,
    authorId,
  };
}
