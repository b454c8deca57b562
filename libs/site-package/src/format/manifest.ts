import { z } from 'zod';
import { digestSchema } from '../digests/digest.js';
import { recordKinds } from '../records/record-kinds.js';
import { formatVersion } from './limits.js';

const count = z.number().int().nonnegative();
const name = z.string().min(1).max(200);

/** A file with its size and the SHA-256 of its bytes in hexadecimal digits. */
export const packageFileSchema = z.strictObject({
  path: z.string().max(200),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type DeclaredFile = z.output<typeof packageFileSchema>;

/** `manifest.json`: what the package holds. Its SHA-256 is the package's digest. */
export const manifestSchema = z.strictObject({
  formatVersion: z.literal(formatVersion),
  /** Id of this package; another export has another one. */
  packageId: name,
  /** The site that was exported. */
  siteId: name,
  createdAt: z.iso.datetime(),
  /** Name and version of the program that wrote the package. */
  createdBy: z.strictObject({ name, version: name }),
  /** What a reader must know beyond the format. */
  features: z.array(name).max(100),
  /** What a reader may ignore. */
  optionalFeatures: z.array(name).max(100),
  /** Records by kind; a kind without records may be absent. */
  counts: z.partialRecord(z.enum(recordKinds), count),
  /** Media files, each counted once however many items have its bytes. */
  media: z.strictObject({ count, bytes: count }),
  /** Files below `records/`. */
  records: z.strictObject({ count, bytes: count }),
  /** SHA-256 over the records, see `LogicalDigest`. */
  logicalDigest: digestSchema,
  /** The files that list all others, in order. */
  index: z.array(packageFileSchema).max(10_000),
});

export type Manifest = z.output<typeof manifestSchema>;
