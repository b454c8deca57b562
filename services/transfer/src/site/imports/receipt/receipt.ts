import { digestSchema, recordKinds } from '@quire/site-package';
import { z } from 'zod';

const count = z.number().int().nonnegative();

/** The proof of a complete import (contract 25). */
export const receiptSchema = z.strictObject({
  operationId: z.string(),
  packageDigest: digestSchema,
  planDigest: digestSchema,
  targetSiteId: z.string(),
  originSiteId: z.string(),
  formatVersion: z.string(),
  importerVersion: z.string(),
  completedAt: z.iso.datetime(),
  /** Of the records of the site as they were read back. */
  logicalDigest: digestSchema,
  counts: z.partialRecord(z.enum(recordKinds), count),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  verification: z.literal('verified'),
  /** Over the canonical JSON of all other properties. */
  receiptDigest: digestSchema,
});

export type Receipt = z.output<typeof receiptSchema>;
