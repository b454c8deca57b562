import { digestSchema, recordKinds } from '@quire/site-package';
import { z } from 'zod';

const count = z.number().int().nonnegative();
const kind = z.enum(recordKinds);

/** Reasons for which a package cannot be imported (contract 25). */
const blockerCodes = [
  'package_invalid',
  'unsupported_format',
  'unsupported_feature',
  'limit_exceeded',
  'file_missing',
  'file_mismatch',
  'record_invalid',
  'record_count_mismatch',
  'record_order_invalid',
  'duplicate_id',
  'dangling_reference',
  'reference_cycle',
  'media_ref_invalid',
  'media_blob_missing',
  'media_blob_too_large',
  'target_not_empty',
  'locale_not_configured',
  'field_type_unknown',
  'principal_conflict',
  'integer_out_of_range',
  'value_constraint_violation',
  'unique_violation',
] as const;
export type BlockerCode = (typeof blockerCodes)[number];

/** What an import changes or leaves out without failing (contract 25). */
export const warningCodes = [
  'media_row_missing',
  'media_provider_external',
  'soft_reference_dangling',
  'redirect_loops_unchecked',
  'issues_truncated',
] as const;
export type WarningCode = (typeof warningCodes)[number];

const issue = <Code extends readonly [string, ...string[]]>(codes: Code) =>
  z.strictObject({
    code: z.enum(codes),
    message: z.string(),
    kind: kind.optional(),
    /** Key of the first record. */
    id: z.string().optional(),
    count: count.optional(),
    detail: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  });

const blockerSchema = issue(blockerCodes);
const warningSchema = issue(warningCodes);
export type Blocker = z.output<typeof blockerSchema>;
export type Warning = z.output<typeof warningSchema>;

const titleSource = z.enum(['package', 'target']);

/** Choices of the user, sent with the analysis; unknown properties are rejected. */
export const decisionsSchema = z.strictObject({
  principalMappings: z.record(z.string(), z.string().nullable()).optional(),
  siteTitle: titleSource.optional(),
  siteTagline: titleSource.optional(),
});
export type Decisions = z.output<typeof decisionsSchema>;

const setting = z.strictObject({ package: z.string().optional(), target: z.string().optional() });

/** What an import will do (contract 25). It is executable without blockers. */
export const planSchema = z.strictObject({
  formatVersion: z.string(),
  packageDigest: digestSchema,
  origin: z.strictObject({
    siteId: z.string(),
    packageId: z.string(),
    createdAt: z.string(),
    createdByVersion: z.string(),
  }),
  target: z.strictObject({ siteId: z.string(), dialect: z.literal('postgres'), version: z.string() }),
  counts: z.partialRecord(kind, count),
  bytes: z.strictObject({ records: count, media: count }),
  principals: z.array(
    z.strictObject({
      id: z.string(),
      displayName: z.string(),
      email: z.string().optional(),
      references: count,
      suggestedUserId: z.string().optional(),
    }),
  ),
  settings: z.strictObject({ title: setting, tagline: setting }),
  decisions: z.strictObject({
    principalMappings: z.record(z.string(), z.string().nullable()),
    siteTitle: titleSource,
    siteTagline: titleSource,
  }),
  transformations: z.array(z.strictObject({ code: z.string(), kind: kind.optional(), count })),
  warnings: z.array(warningSchema),
  blockers: z.array(blockerSchema),
  estimatedSteps: count,
});

export type Plan = z.output<typeof planSchema>;
