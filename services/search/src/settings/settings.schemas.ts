import { tokenizers } from '@quire/search-engine';
import { z } from 'zod';

const heaviest = 100;

const collection = z.string().min(1);

export const enableBody = z.object({
  collection,
  enabled: z.boolean(),
  weights: z.record(z.string(), z.number().positive().max(heaviest)).optional(),
  tokenize: z.enum(tokenizers).optional(),
});

export const enableAnswer = z.object({
  collection: z.string(),
  enabled: z.boolean(),
  indexed: z.number().int().optional(),
});

export const rebuildBody = z.object({ collection });

export const rebuildAnswer = z.object({ collection: z.string(), indexed: z.number().int() });

export const statsAnswer = z.object({
  collections: z.record(
    z.string(),
    z.object({ indexed: z.number().int(), lastRebuilt: z.iso.datetime().optional() }),
  ),
});

export type EnableRequest = z.output<typeof enableBody>;
export type EnableAnswer = z.output<typeof enableAnswer>;
export type RebuildAnswer = z.output<typeof rebuildAnswer>;
export type SearchStats = z.output<typeof statsAnswer>;
