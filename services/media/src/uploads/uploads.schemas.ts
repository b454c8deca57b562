import { rowId, storableText, uploadLimitMark } from '@quire/operation';
import { z } from 'zod';
import { dimension, itemText, mainLibrary } from '../items/index.js';

const fileBytes = z.string().meta({ format: 'binary' });
const limitedFile = z.string().meta({ format: 'binary', [uploadLimitMark]: true });
const dimensionText = z
  .string()
  .trim()
  .regex(/^\d{1,10}$/, 'must be an integer')
  .transform(Number)
  .pipe(dimension);
/** An optional field of a form. Browsers send an empty text for an empty field. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** The fields of a direct upload without its files. */
export const uploadFields = z.object({
  width: optional(dimensionText),
  height: optional(dimensionText),
  fieldId: optional(rowId),
  alt: optional(itemText.alt),
  caption: optional(itemText.caption),
  folderId: optional(rowId.transform((id) => (id === mainLibrary ? undefined : id))),
});

/** A direct upload in the OpenAPI document. */
export const uploadForm = z.object({
  file: limitedFile,
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
  fieldId: z.string().optional(),
  thumbnail: fileBytes.optional(),
  alt: z.string().optional(),
  caption: z.string().optional(),
  folderId: z.string().optional(),
});

/** The fields of a replacement without its file. All are required. */
export const replacementFields = z.object({ width: dimensionText, height: dimensionText });

export const replacementForm = z.object({
  file: limitedFile,
  width: z.int().min(1),
  height: z.int().min(1),
});

export const rawFile = limitedFile;

/** A declared file. */
export const declaredFile = z.object({
  filename: storableText(z.string().min(1).max(10_000)),
  contentType: z.string().min(1).max(255),
  size: z
    .int()
    .min(0)
    .meta({ [uploadLimitMark]: true }),
  contentHash: storableText(z.string().max(128))
    .meta({ description: '`sha256:` and 64 hexadecimal digits; other hashes find no existing item' })
    .optional(),
  fieldId: rowId.optional(),
});

export const uploadTarget = z.union([
  z.object({
    uploadUrl: z.string(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()),
    mediaId: z.string(),
    storageKey: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  z.object({ existing: z.literal(true), mediaId: z.string(), storageKey: z.string(), url: z.string() }),
]);

export const confirmation = z.object({
  size: z.int().min(0).optional(),
  width: dimension.optional(),
  height: dimension.optional(),
});

export type DeclaredFile = z.output<typeof declaredFile>;
export type UploadTarget = z.output<typeof uploadTarget>;
export type Confirmation = z.output<typeof confirmation>;
export type ReplacementFields = z.output<typeof replacementFields>;
export type UploadFields = z.output<typeof uploadFields>;
