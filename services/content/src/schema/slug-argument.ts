import { maxSlugLength, slugPattern } from '@quire/content-model';
import { z } from 'zod';

/** The slug of a collection, field or block type: a malformed one is rejected before any lookup (contract 6). */
export const slugArgument = (description: string) =>
  z.string().regex(slugPattern).max(maxSlugLength).describe(description);
