import { z } from 'zod';

/** Parts of responses that the command reads (contract 25). */
const count = z.number().int().nonnegative();

const operationSchema = z.object({
  id: z.string(),
  state: z.string(),
  stage: z.string().nullable(),
  progress: z.object({ done: count, total: count }).nullable(),
  packageDigest: z.string().nullable(),
  errorCode: z.string().nullable(),
  /** Null for an import that has not written to the site. */
  mutationStartedAt: z.string().nullable(),
});

export type ImportOperation = z.output<typeof operationSchema>;

export const operationResponse = z.object({ operation: operationSchema });

export const listResponse = z.object({ items: z.array(operationSchema) });

export const missingResponse = z.object({
  items: z.array(z.object({ path: z.string(), bytes: count })),
  nextCursor: z.string().optional(),
});

const issueSchema = z.object({
  code: z.string(),
  message: z.string(),
  kind: z.string().optional(),
  /** Key of the first record. */
  id: z.string().optional(),
  count: count.optional(),
});

export type PlanIssue = z.output<typeof issueSchema>;

const transformationSchema = z.object({ code: z.string(), kind: z.string().optional(), count });

export type Transformation = z.output<typeof transformationSchema>;

/** A setting in the package, and at the site. */
const settingSchema = z.object({ package: z.string().optional(), target: z.string().optional() });

export type PlannedSetting = z.output<typeof settingSchema>;

const planSchema = z.object({
  origin: z.object({ siteId: z.string(), createdAt: z.string() }),
  counts: z.record(z.string(), count),
  bytes: z.object({ records: count, media: count }),
  principals: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      email: z.string().optional(),
      references: count,
    }),
  ),
  decisions: z.object({
    principalMappings: z.record(z.string(), z.string().nullable()),
    siteTitle: z.string(),
    siteTagline: z.string(),
  }),
  settings: z.object({ title: settingSchema, tagline: settingSchema }),
  transformations: z.array(transformationSchema),
  warnings: z.array(issueSchema),
  blockers: z.array(issueSchema),
});

export type ImportPlan = z.output<typeof planSchema>;

export const analyzedResponse = operationResponse.extend({
  plan: planSchema.optional(),
  planDigest: z.string().optional(),
  nextRequestInMs: count.nullable(),
});

export const planResponse = z.object({ plan: planSchema, planDigest: z.string() });

export const advancedResponse = operationResponse.extend({ nextRequestInMs: count.nullable() });

export const receiptResponse = z.object({
  receipt: z.looseObject({
    logicalDigest: z.string(),
    receiptDigest: z.string(),
    counts: z.record(z.string(), count),
  }),
});

export type Receipt = z.output<typeof receiptResponse>['receipt'];
