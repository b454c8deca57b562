import { rowId, storableText } from '@quire/operation';
import { toStorableText } from '@quire/values';
import { z } from 'zod';
import { mediaFileSchema } from '../media.js';

export const count = z.number().int().nonnegative();
export const slug = storableText(z.string().min(1).max(200));
/** Text without U+0000 and unpaired surrogates, which PostgreSQL does not store: they are removed or replaced. */
export const text = z.string().transform(toStorableText);
export const instant = z.iso.datetime();
export const jsonObject = z.record(z.string(), z.unknown());

/** Items of one call. Callers also bound the bytes of a call by `maxImportBodyBytes`. */
export const maxImportedItems = 200;
/** Bytes of a call's body: an item body of 16 MB becomes several times as large as rich text. */
export const maxImportBodyBytes = 64 * 1024 * 1024;

/** Identifies an object of the source site, in every import of that site. */
export const sourceKey = z.object({
  /** Post type, `comment`, or another kind of the source. */
  type: text,
  id: text,
});

export type SourceKey = z.output<typeof sourceKey>;

/** The import that a call belongs to. */
export const importRun = z.object({
  importId: rowId,
  /** Identity of the source site: host and path of its address, in lower case. */
  site: text,
});

export type ImportRun = z.output<typeof importRun>;

export const warning = z.object({
  code: z.string(),
  message: z.string(),
});

export type ImportWarning = z.output<typeof warning>;

/** A file of the source that is in the media library, by an address that values may name it by. */
export const knownMedia = z.object({ address: z.string(), file: mediaFileSchema });

export type KnownMedia = z.output<typeof knownMedia>;
