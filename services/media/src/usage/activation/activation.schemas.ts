import { z } from 'zod';

const instantOrNull = z.string().nullable();
const count = z.number().int().nonnegative();

export const activationSchema = z.object({
  state: z.enum(['expanded', 'activating', 'active']),
  collectionCursor: z.string().nullable(),
  attemptCount: count,
  drainConfirmedAt: instantOrNull,
  lastAttemptedAt: instantOrNull,
  lastErrorCode: z.literal('MEDIA_USAGE_ACTIVATION_FAILED').nullable(),
  leaseExpiresAt: instantOrNull,
  activatedAt: instantOrNull,
  updatedAt: z.string(),
});

export const progressSchema = z.object({
  status: z.enum(['indexing', 'ready', 'needs_attention']),
  readyCollections: count,
  totalCollections: count,
});

export const advanceActivationBody = z.strictObject({
  /** Confirms that no process writes past the API any more. */
  writersDrained: z.literal(true),
});

export const advanceActivationResponse = z.object({
  outcome: z.enum(['activating', 'active']),
  processedCollections: z.union([z.literal(0), z.literal(1)]),
  activation: activationSchema,
});

export const advanceProgressResponse = z.object({
  activation: activationSchema,
  progress: progressSchema.nullable(),
  nextRequestInMs: z.union([z.literal(0), z.literal(30_000)]).nullable(),
});

export type Activation = z.infer<typeof activationSchema>;
export type Progress = z.infer<typeof progressSchema>;
export type AdvancedActivation = z.infer<typeof advanceActivationResponse>;
export type AdvancedProgress = z.infer<typeof advanceProgressResponse>;
