import { z } from 'zod';
import { instant, integer, key, principal, reference, text } from '../properties.js';
import { defineRecord } from './define-record.js';

/** The media library. The bytes of an item are the file `media/<sha256>`. */
export const mediaRecords = {
  media_folders: defineRecord(
    z.strictObject({ id: key(), name: text(), createdAt: instant(), updatedAt: instant() }),
    { summary: 'A folder of the media library', unique: [['name']] },
  ),
  media_items: defineRecord(
    z.strictObject({
      id: key(),
      filename: text(),
      mimeType: text(),
      size: integer().nonnegative(),
      width: integer().nullable(),
      height: integer().nullable(),
      alt: text().nullable(),
      caption: text().nullable(),
      blurhash: text().nullable(),
      dominantColor: text().nullable(),
      storageKey: key(),
      contentHash: text().nullable(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      folderId: reference('media_folders').nullable(),
      authorId: principal().nullable(),
      replacements: integer().nonnegative(),
      createdAt: instant(),
      updatedAt: instant(),
    }),
    { summary: 'A file of the media library', unique: [['storageKey']], principals: ['authorId'] },
  ),
};
