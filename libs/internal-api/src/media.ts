import { z } from 'zod';
import { declareInternalOperation } from './declare-internal-operation.js';

export const maxFileIds = 200;

/** Accepted types when the field names none; an entry that ends in `/` is a prefix (contract 11). */
export const defaultAllowedTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/',
  'audio/',
  'application/pdf',
];

const dimension = z.number().int().nullable();

/** The file of a ready media item, as other services show and store it. */
export const mediaFileSchema = z.object({
  id: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  /** Bytes. */
  size: z.number().int().nullable(),
  width: dimension,
  height: dimension,
  alt: z.string().nullable(),
  blurhash: z.string().nullable(),
  dominantColor: z.string().nullable(),
  storageKey: z.string(),
  url: z.string(),
});

export type MediaFile = z.output<typeof mediaFileSchema>;

export const filesByIds = declareInternalOperation('media', {
  id: 'filesByIds',
  path: 'files/by-ids',
  summary: 'The files of ready media items; unknown ids are left out',
  body: z.object({ ids: z.array(z.string()).max(maxFileIds) }),
  response: z.object({ items: z.array(mediaFileSchema) }),
});

export const filesByStorageKeys = declareInternalOperation('media', {
  id: 'filesByStorageKeys',
  path: 'files/by-storage-keys',
  summary: 'The files of ready media items by the keys in their addresses; unknown keys are left out',
  body: z.object({ storageKeys: z.array(z.string()).max(maxFileIds) }),
  response: z.object({ items: z.array(mediaFileSchema) }),
});

export const countFileChanges = declareInternalOperation('media', {
  id: 'countFileChanges',
  path: 'file-changes/count',
  summary: 'How often files of the site were replaced or deleted: the version of what shows them',
  response: z.object({ count: z.number().int() }),
});

export const countItems = declareInternalOperation('media', {
  id: 'countItems',
  path: 'items/count',
  summary: 'The number of ready media items of the site',
  response: z.object({ count: z.number().int() }),
});

/** Objects that one call reserves. */
export const maxReservations = 100;

export const reserveObjects = declareInternalOperation('media', {
  id: 'reserveObjects',
  path: 'objects/reserve',
  summary:
    'Keys under which the caller stores objects; each is deleted after an hour unless it becomes a file',
  body: z.object({ count: z.number().int().min(1).max(maxReservations) }),
  response: z.object({ objectKeys: z.array(z.string()) }),
});

/** A stored object with the properties that the caller computed of its bytes. */
export const storedObjectSchema = z.object({
  /** One of `reserveObjects`. */
  objectKey: z.string(),
  /** Id of the new item. The caller repeats it when it does not know whether a call succeeded. */
  id: z.string(),
  /** Bytes. */
  size: z.number().int().min(1),
  /** Hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  xxh64: z.string().regex(/^xxh64:[0-9a-f]{16}$/),
  /** The first bytes of the file in base64, at least 4,100 of a longer one: its type is detected in them. */
  sample: z.base64(),
  /** Types that the source names, the most trustworthy first: for bytes whose type cannot be detected. */
  declaredTypes: z.array(z.string()).max(4),
  filename: z.string().optional(),
  alt: z.string().nullable(),
  caption: z.string().nullable(),
  authorId: z.string().nullable(),
});

/** Objects of one call. Also images that take as long as they may are inspected before the call times out. */
export const maxStoredObjects = 8;

export const createItemsOfObjects = declareInternalOperation('media', {
  id: 'createItemsOfObjects',
  path: 'items/of-objects',
  summary: 'Makes ready items of stored objects; of known bytes it returns their item and deletes the object',
  body: z.object({ objects: z.array(storedObjectSchema).min(1).max(maxStoredObjects) }),
  response: z.object({
    /** One result for each object, in their order. */
    results: z.array(
      z.union([
        z.object({ id: z.string(), url: z.string(), isNew: z.boolean() }),
        /** An object of which no item can be made. It is deleted. */
        z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
      ]),
    ),
  }),
});

export const getStorageUse = declareInternalOperation('media', {
  id: 'getStorageUse',
  path: 'storage/use',
  summary: 'The space that the files of the site take',
  response: z.object({
    /** Of all ready items, without their variants. */
    usedBytes: z.number().int(),
    /** Null: the store does not say when it is full. */
    limitBytes: z.number().int().nullable(),
  }),
});
