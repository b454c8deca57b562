import { z } from 'zod';

/** Ids of the sources that every installation has. */
export const builtInSourceIds = ['wxr', 'legacy-com', 'legacy-rest'] as const;

/** The name of a source in answers and in the database. */
export const sourceIdSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,39}$/,
    'must be lower-case letters, digits and dashes, a letter first, 40 at most',
  );
