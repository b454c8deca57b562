import { z } from 'zod';
import { declareInternalOperation } from './declare-internal-operation.js';

export const maxFileIds = 200;

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
