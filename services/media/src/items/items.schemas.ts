import { pageQuery, rowId, storableText } from '@quire/operation';
import { z } from 'zod';
import { includeUsage } from '../usage/index.js';

/** The value of `folderId` for items without a folder (document 1, Media 1). */
export const mainLibrary = 'unfiled';

const maxMimeTypes = 20;
const maxInteger = 2_147_483_647;

/** The texts of an item. */
export const itemText = {
  alt: storableText(z.string().max(2_000)),
  caption: storableText(z.string().max(10_000)),
};

export const dimension = z.number().int().min(1).max(maxInteger);

const mimeTypes = z.string().transform((list, context) => {
  const types = list
    .split(',')
    .map((type) => type.trim().toLowerCase())
    .filter(Boolean);
  if (types.length > maxMimeTypes)
    context.addIssue({ code: 'custom', message: `takes ${maxMimeTypes} types at most` });
  if (types.every((type) => /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]*$/.test(type))) return types;
  context.addIssue({
    code: 'custom',
    message: 'takes types such as image/png, or beginnings such as image/',
  });
  return z.NEVER;
});

export const getMediaQuery = z.object({ includeUsage });

export const itemParams = z.object({ id: rowId });

export const listMediaQuery = pageQuery
  .extend({
    mimeType: mimeTypes.optional(),
    q: storableText(z.string().trim().min(1).max(200)).optional(),
    folderId: rowId.optional(),
    page: z.coerce.number().int().min(1).optional(),
    includeUsage,
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ['page'],
    message: 'cannot be combined with cursor',
  });

export const updateMediaBody = z.object({
  alt: itemText.alt.optional(),
  caption: itemText.caption.optional(),
  width: dimension.optional(),
  height: dimension.optional(),
  folderId: rowId
    .nullable()
    .transform((id) => (id === mainLibrary ? null : id))
    .optional(),
});

export type MediaQuery = z.output<typeof listMediaQuery>;
export type MediaUpdate = z.output<typeof updateMediaBody>;
