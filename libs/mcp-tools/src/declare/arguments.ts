import { instant, rowId, storableText } from '@quire/operation';
import { z } from 'zod';

const defaultLimit = 50;
const maxLimit = 100;

/** Number of items of one page. */
export const limitArgument = (max = maxLimit, initial = defaultLimit) =>
  z
    .number()
    .int()
    .min(1)
    .max(max)
    .default(initial)
    .describe('Items a page. Clients cut results over 50,000 characters');

/** Position of the next page of a list. */
export const cursorArgument = z
  .string()
  .min(1)
  .max(2048)
  .optional()
  .describe('nextCursor of the page before');

/** Page of a list. */
export const pageArguments = { limit: limitArgument(), cursor: cursorArgument };

/** A locale; the tool describes the effect of its absence. */
export const localeArgument = (description: string) => z.string().max(64).optional().describe(description);

/** The id of a record. Its length is not in the schema: ids come from results of tools. */
export const idArgument = (description: string) =>
  z
    .string()
    .refine((id) => rowId.safeParse(id).success, 'must be an id from a result')
    .describe(description);

/** A text that PostgreSQL can store. */
export const textArgument = (description: string, maxLength: number) =>
  storableText(z.string().max(maxLength)).describe(description);

/** An instant with Z or an offset. */
export const instantArgument = (description: string) => instant.describe(description);
