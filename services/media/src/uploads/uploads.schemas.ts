import { z } from 'zod';
import { dimension, itemText, mainLibrary } from '../items/index.js';
import { rowId } from '../pagination/index.js';

const fileBytes = z.string().meta({ format: 'binary' });
const dimensionText = z
  .string()
  .trim()
  .regex(/^\d{1,10}$/, 'must be an integer')
  .transform(Number)
  .pipe(dimension);
/** Clients send a field that was left blank as an empty text. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** The fields of a direct upload beside its files. */
export const uploadFields = z.object({
  width: optional(dimensionText),
  height: optional(dimensionText),
  fieldId: optional(rowId),
  alt: optional(itemText.alt),
  caption: optional(itemText.caption),
  folderId: optional(rowId.transform((id) => (id === mainLibrary ? undefined : id))),
});

/** A direct upload as the document describes it. */
export const uploadForm = z.object({
  file: fileBytes,
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
  fieldId: z.string().optional(),
  thumbnail: fileBytes.optional(),
  alt: z.string().optional(),
  caption: z.string().optional(),
  folderId: z.string().optional(),
});

export type UploadFields = z.output<typeof uploadFields>;
