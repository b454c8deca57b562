import { findSourceMistakes, type ImportSource } from '@quire/import-sources';
import { z } from 'zod';

/** Import sources beside the built-in ones. Their objects are not changed. */
const sources = z.custom<readonly ImportSource[]>().superRefine((list, context) => {
  for (const { path, message } of findSourceMistakes(list))
    context.addIssue({ code: 'custom', path: path === '' ? [] : path.split('.'), message });
});

/** Imports of content from other platforms (spec document 3, rule 7). */
export const importSchema = z.strictObject({ sources: sources.optional() });
