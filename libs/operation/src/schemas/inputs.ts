import { isStorableText, normaliseDatetime } from '@quire/values';
import { z } from 'zod';

/** Text that PostgreSQL can store and compare. */
export const storableText = (schema: z.ZodString = z.string()) =>
  schema.refine(isStorableText, 'must not contain U+0000 or unpaired surrogates');

/** An id of a row in a path or a filter, of any service. */
export const rowId = storableText(z.string().min(1).max(64));

/**
 * Marks a value that the configured size of an upload limits, in bytes: a number, or the file itself. The OpenAPI
 * document has the limit in its place; declarations do not know it.
 */
export const uploadLimitMark = 'x-limited-to-max-upload-bytes';

/** An instant with Z or an offset, normalised to UTC with milliseconds (decision 21). */
export const instant = z.string().transform((text, context) => {
  const normalised = normaliseDatetime(text);
  if (normalised !== null) return normalised;
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 datetime with Z or an offset' });
  return z.NEVER;
});

/** Position and size of the requested page of a list (contract 2). */
export const pageQuery = z.object({
  cursor: z.string().max(2048).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
