import { z } from 'zod';

const collectionCounts = z.object({
  slug: z.string(),
  label: z.string(),
  total: z.number().int(),
  published: z.number().int(),
  draft: z.number().int(),
  /** Those with a pending schedule, published ones with a staged draft among them. */
  scheduled: z.number().int(),
  overdueScheduled: z.number().int(),
});

export const dashboardSchema = z.object({
  collections: z.array(collectionCounts),
  /** Null while the media service is unavailable. */
  mediaCount: z.number().int().nullable(),
  /** Null while the auth service is unavailable. */
  userCount: z.number().int().nullable(),
  recentItems: z.array(
    z.object({
      id: z.string(),
      collection: z.string(),
      collectionLabel: z.string(),
      title: z.string(),
      slug: z.string().nullable(),
      status: z.enum(['draft', 'published', 'scheduled']),
      updatedAt: z.string(),
      authorId: z.string().nullable(),
    }),
  ),
  schedulerHealth: z.object({
    status: z.enum(['healthy', 'stale', 'unknown']),
    lastCompletedAt: z.string().nullable(),
  }),
});

export type DashboardResponse = z.output<typeof dashboardSchema>;
export type RecentItem = DashboardResponse['recentItems'][number];
