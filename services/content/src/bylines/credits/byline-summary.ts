import { jsonPairsOf } from '@quire/database';
import { z } from 'zod';
import { Byline } from '../byline.entity.js';

/** A byline in responses (contract 6). */
export const bylineSummary = z
  .object({
    id: z.string(),
    slug: z.string(),
    displayName: z.string(),
    bio: z.string().nullable(),
    avatarMediaId: z.string().nullable(),
    avatarStorageKey: z.string().nullable().optional(),
    avatarAlt: z.string().nullable().optional(),
    avatarBlurhash: z.string().nullable().optional(),
    avatarDominantColor: z.string().nullable().optional(),
    websiteUrl: z.string().nullable(),
    userId: z.string().nullable(),
    isGuest: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    locale: z.string(),
    translationGroup: z.string().nullable(),
    customFields: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])).optional(),
  })
  .meta({ id: 'BylineSummary' });

export type BylineSummary = z.output<typeof bylineSummary>;

/** SQL of the summary of byline `b` of group `g`, with its own and the shared field values. */
export const bylineJson = `json_build_object(${jsonPairsOf(Byline, { of: 'b', except: ['customFields'] })},
  'customFields', g.custom_fields || b.custom_fields)`;
