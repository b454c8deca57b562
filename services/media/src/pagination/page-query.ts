import { isStorableText } from '@quire/content-model';
import { z } from 'zod';

/** Text that PostgreSQL can hold. */
export const storableText = (schema: z.ZodString = z.string()) =>
  schema.refine(isStorableText, 'must not contain U+0000 or unpaired surrogates');

/** An id of a row, as it stands in a path or a filter. */
export const rowId = storableText(z.string().min(1).max(64));

/** An instant in an answer. */
export const instantText = z.iso.datetime();

/** Which page of a list is asked for (contract 2). */
export const pageQuery = z.object({
  cursor: z.string().max(2048).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
