import { matchSchema, suggestedActionSchema } from '@quire/import-sources';
import { z } from 'zod';
import { siteAddress } from './site-address.js';

export const probeBody = z.object({ url: siteAddress });

export const probeResponse = z.object({
  success: z.literal(true),
  result: z.object({
    /** The normalised address. */
    url: z.string(),
    /** Whether the site belongs to the legacy platform. */
    isLegacy: z.boolean(),
    /** The same value by its other name (contract 36). */
    isLegacyPlatform: z.boolean(),
    bestMatch: matchSchema.nullable(),
    /** Sorted by confidence; the order of registration breaks ties. */
    allMatches: z.array(matchSchema),
    /** The action of the best match; without one an upload. */
    suggestedAction: suggestedActionSchema,
  }),
});

export type ProbeResponse = z.output<typeof probeResponse>;
