import { z } from 'zod';
import { declareInternalOperation } from '../declare-internal-operation.js';
import {
  count,
  importRun,
  instant,
  jsonObject,
  knownMedia,
  maxImportBodyBytes,
  maxImportedItems,
  slug,
  sourceKey,
  text,
  warning,
} from './schemas.js';

export const importSections = declareInternalOperation('content', {
  id: 'importSections',
  path: 'import/sections',
  summary: 'Create sections from reusable blocks of a source; a section with the slug is left as it is',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    sections: z
      .array(z.object({ source: sourceKey, slug, title: text, content: z.array(jsonObject) }))
      .max(maxImportedItems),
    /** As for entries. */
    media: z.array(knownMedia),
  }),
  response: z.object({
    created: count,
    /** Ids of the blocks whose sections this import has created. */
    createdIds: z.array(z.string()),
    skipped: count,
    warnings: z.array(warning.extend({ id: z.string() })),
  }),
});

export const importComments = declareInternalOperation('content', {
  id: 'importComments',
  path: 'import/comments',
  summary: 'Create comments on imported entries, without mails and limits',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    comments: z
      .array(
        z.object({
          id: text,
          /** The entry's item. */
          entry: sourceKey,
          /** The root of its thread: replies are one level deep. Null for a root. */
          rootId: text.nullable(),
          authorName: text,
          authorEmail: text,
          body: text,
          status: z.enum(['approved', 'pending']),
          createdAt: instant.nullable(),
        }),
      )
      .max(maxImportedItems),
  }),
  response: z.object({
    imported: count,
    skipped: count,
    warnings: z.array(warning.extend({ id: z.string() })),
  }),
});

export const importMenu = declareInternalOperation('content', {
  id: 'importMenu',
  path: 'import/menus',
  summary: 'Create a menu with its items; items of an existing menu are left as they are',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    locale: z.string(),
    name: slug,
    label: text,
    items: z
      .array(
        z.object({
          id: text,
          parentId: text.nullable(),
          /** Empty for the title of the target. */
          label: text,
          target: z.discriminatedUnion('kind', [
            z.object({ kind: z.literal('entry'), source: sourceKey, url: text.nullable() }),
            z.object({ kind: z.literal('term'), taxonomy: text, slug, url: text.nullable() }),
            z.object({ kind: z.literal('url'), url: text }),
          ]),
          titleAttr: text.nullable(),
          newTab: z.boolean(),
          cssClasses: text.nullable(),
        }),
      )
      .max(5000),
  }),
  response: z.object({
    outcome: z.enum(['created', 'skipped']),
    items: count,
    warnings: z.array(warning.extend({ id: z.string() })),
  }),
});
