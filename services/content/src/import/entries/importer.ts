import type { Context } from '@quire/context';
import type { contentImportApi } from '@quire/internal-api';
import type { EntryDeps } from '../../entries/index.js';
import type { KnownMedia } from '../rewrite-urls/index.js';

/** One call of `importEntries`. */
export interface Importer {
  ctx: Context;
  deps: EntryDeps;
  run: contentImportApi.ImportRun;
  skipExisting: boolean;
  media: KnownMedia;
}

export type Failure = NonNullable<contentImportApi.ImportedEntry['failure']>;

/** Warnings about references of an entry that lead nowhere; those about values come from the conversion. */
export const warningCodes = {
  authorMissing: 'AUTHOR_MISSING',
  bylineMissing: 'BYLINE_MISSING',
  termMissing: 'TERM_MISSING',
  translationSeparated: 'TRANSLATION_SEPARATED',
  localeUnknown: 'LOCALE_UNKNOWN',
  slugRenamed: 'SLUG_RENAMED',
  statusChanged: 'STATUS_CHANGED',
  urlUnsafe: 'URL_UNSAFE',
  metaUnfit: 'META_UNFIT',
} as const;
