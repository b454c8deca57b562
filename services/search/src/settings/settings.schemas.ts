import { tokenizers } from '@quire/search-engine';
import { z } from 'zod';

const maxWeight = 100;

const collection = z.string().min(1);

export const enableBody = z.object({
  collection,
  enabled: z.boolean(),
  weights: z.record(z.string(), z.number().positive().max(maxWeight)).optional(),
  tokenize: z.enum(tokenizers).optional(),
});

export const enableResponse = z.object({
  collection: z.string(),
  enabled: z.boolean(),
  indexed: z.number().int().optional(),
});

export const rebuildBody = z.object({ collection });

export const rebuildResponse = z.object({ collection: z.string(), indexed: z.number().int() });

export const statsResponse = z.object({
  collections: z.record(
    z.string(),
    z.object({ indexed: z.number().int(), lastRebuilt: z.iso.datetime().optional() }),
  ),
});

export type EnableRequest = z.output<typeof enableBody>;
export type EnableResponse = z.output<typeof enableResponse>;
export type RebuildResponse = z.output<typeof rebuildResponse>;
export type SearchStats = z.output<typeof statsResponse>;
