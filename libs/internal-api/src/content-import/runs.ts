import { z } from 'zod';
import { declareInternalOperation, type ResponseOf } from '../declare-internal-operation.js';
import { count, importRun, maxImportedItems } from './schemas.js';

export const getImportTargets = declareInternalOperation('content', {
  id: 'getImportTargets',
  path: 'import/targets',
  summary: 'What content can be imported into: collections with their fields, taxonomies, locales',
  response: z.object({
    collections: z.array(
      z.object({
        slug: z.string(),
        fields: z.array(z.object({ slug: z.string(), type: z.string() })),
        supports: z.array(z.string()),
      }),
    ),
    taxonomies: z.array(
      z.object({ name: z.string(), hierarchical: z.boolean(), collections: z.array(z.string()) }),
    ),
    defaultLocale: z.string(),
    /** The configured locales; null when the site accepts every well-formed code. */
    locales: z.array(z.string()).nullable(),
  }),
});

export type ImportTargets = ResponseOf<typeof getImportTargets>;

export const undoImport = declareInternalOperation('content', {
  id: 'undoImport',
  path: 'import/undo',
  summary: 'Delete a page of what one import created and no user has changed since',
  isBlockedInReadOnlyMode: true,
  body: importRun.extend({ limit: z.number().int().min(1).max(maxImportedItems) }),
  response: z.object({
    /** Objects of this call by kind: `entry`, `section`, `comment`, `menu`, `term`, `byline`. */
    deleted: z.record(z.string(), count),
    /** Objects that a user has changed or uses, by kind. Only the last call counts them. */
    kept: z.record(z.string(), count),
    isComplete: z.boolean(),
  }),
});
