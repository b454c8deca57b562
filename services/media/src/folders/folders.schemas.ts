import { pageQuery, rowId, storableText } from '@quire/operation';
import { z } from 'zod';

/** In characters, not UTF-16 units (document 1, Limits). */
const maxNameLength = 200;

const folderName = storableText(z.string().trim().min(1, 'must not be blank'))
  .refine((name) => [...name].length <= maxNameLength, `must have ${maxNameLength} characters at most`)
  .meta({ maxLength: maxNameLength });

export const folderParams = z.object({ id: rowId });

export const listFoldersQuery = pageQuery.extend({
  q: storableText(z.string().trim().min(1).max(200)).optional(),
});

export const folderBody = z.object({ name: folderName });

export const folderSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    mediaCount: z.number().int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'MediaFolder' });

export type FolderResponse = z.output<typeof folderSchema>;
export type FoldersQuery = z.output<typeof listFoldersQuery>;
