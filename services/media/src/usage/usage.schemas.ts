import { mediaReferenceTypes } from '@quire/content-model';
import { pageQuery, rowId, storableText } from '@quire/operation';
import { leasedWorkStates, type LeasedWorkState } from '@quire/work-queue';
import { z } from 'zod';

/** The slug of a collection, which need not exist. */
export const collectionSlug = storableText(z.string().min(1).max(63));
const count = z.number().int();
const instant = z.iso.datetime();

export const coverageStatuses = [
  'complete',
  'never',
  'running',
  'partial',
  'failed',
  'stale',
  'unknown',
] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

export const repairStatuses = ['complete', 'partial', 'failed', 'stale'] as const;
export type RepairStatus = (typeof repairStatuses)[number];

export type WorkState = LeasedWorkState;

/** Phases of the deletion of a collection's usage, in this order. The content service does the first ones. */
export const deletionPhases = [
  'fence',
  'registry',
  'table',
  'work',
  'sources',
  'status',
  'finalize',
] as const;
export type DeletionPhase = (typeof deletionPhases)[number];

export const usageVariants = ['columns', 'draft_overlay'] as const;
export type UsageVariant = (typeof usageVariants)[number];

const coverageSchema = z.object({
  scope: z.literal('all_content_collections'),
  status: z.enum(coverageStatuses),
});

const settingsSchema = z.array(z.object({ setting: z.string() }));

export const usageSummarySchema = z
  .object({
    /** Null for callers without the right to read drafts. */
    count: count.nullable(),
    coverage: coverageSchema,
    siteSettings: settingsSchema,
  })
  .meta({ id: 'MediaUsageSummary' });
export type UsageSummary = z.output<typeof usageSummarySchema>;

export const includeUsage = z.literal('1').optional();

export const usageParams = z.object({ id: rowId });

const occurrenceSchema = z.object({
  fieldSlug: z.string(),
  fieldPath: z.string(),
  occurrenceIndex: count,
  referenceType: z.enum(mediaReferenceTypes),
});
export type Occurrence = z.output<typeof occurrenceSchema>;

const usageEntrySchema = z
  .object({
    collection: z.string(),
    contentId: z.string(),
    title: z.string().nullable(),
    slug: z.string().nullable(),
    locale: z.string().nullable(),
    status: z.string().nullable(),
    scheduledAt: instant.nullable(),
    deletedAt: instant.nullable(),
    sources: z.array(z.object({ variant: z.enum(usageVariants), occurrences: z.array(occurrenceSchema) })),
  })
  .meta({ id: 'MediaUsageEntry' });
export type UsageEntry = z.output<typeof usageEntrySchema>;

export const usageDetailsSchema = z.object({
  items: z.array(usageEntrySchema),
  nextCursor: z.string().optional(),
  coverage: coverageSchema,
  siteSettings: settingsSchema,
});

export const repairBody = z.discriminatedUnion('scope', [
  z.strictObject({ scope: z.literal('collection'), collection: collectionSlug }),
  z.strictObject({ scope: z.literal('all') }),
]);
export type RepairScope = z.output<typeof repairBody>;

const repairCounts = {
  indexedSourceCount: count,
  failedSourceCount: count,
  skippedSourceCount: count,
  deletedSourceCount: count,
};

const repairedCollectionSchema = z.object({
  collection: z.string(),
  status: z.enum(repairStatuses),
  ...repairCounts,
  lastErrorCode: z.string().nullable(),
  startedAt: instant,
  completedAt: instant.nullable(),
});
export type RepairedCollection = z.output<typeof repairedCollectionSchema>;

export const repairSchema = z.object({
  status: z.enum(repairStatuses),
  ...repairCounts,
  collections: z.array(repairedCollectionSchema),
});
export type Repair = z.output<typeof repairSchema>;

export const workQuery = pageQuery.extend({
  collection: collectionSlug,
  state: z.enum(leasedWorkStates).optional(),
});
export type WorkQuery = z.output<typeof workQuery>;

const waiting = {
  collectionId: z.string(),
  collectionSlug: z.string(),
  state: z.enum(leasedWorkStates),
  attemptCount: count,
  nextAttemptAt: instant,
  leaseExpiresAt: instant.nullable(),
  lastErrorCode: z.string().nullable(),
  updatedAt: instant,
};

export const workItemSchema = z
  .object({ ...waiting, contentId: z.string(), lastAttemptedAt: instant.nullable() })
  .meta({ id: 'MediaUsageWorkItem' });
export type WorkItem = z.output<typeof workItemSchema>;

export const deletionItemSchema = z
  .object({ ...waiting, phase: z.enum(deletionPhases) })
  .meta({ id: 'MediaUsageCollectionDeletion' });
export type DeletionItem = z.output<typeof deletionItemSchema>;

export const deletionsQuery = pageQuery.extend({ state: z.enum(leasedWorkStates).default('failed') });
export type DeletionsQuery = z.output<typeof deletionsQuery>;

const longId = storableText(z.string().min(1).max(2_048));
export const retryWorkBody = z.strictObject({ collectionId: longId, contentId: longId });
export const retryDeletionBody = z.strictObject({ collectionId: longId });
