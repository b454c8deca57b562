import { z } from 'zod';

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

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of the summary of byline `b` of group `g`, with its own and the shared field values. */
export const bylineJson = `json_build_object(
  'id', b.id, 'slug', b.slug, 'displayName', b.display_name, 'bio', b.bio, 'avatarMediaId', b.avatar_media_id,
  'websiteUrl', b.website_url, 'userId', b.user_id, 'isGuest', b.is_guest,
  'createdAt', ${iso('b.created_at')}, 'updatedAt', ${iso('b.updated_at')},
  'locale', b.locale, 'translationGroup', b.translation_group, 'customFields', g.custom_fields || b.custom_fields)`;
