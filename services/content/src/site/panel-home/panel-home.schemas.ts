import { z } from 'zod';

/** An entry of a list across collections, as editors see it. */
const homeEntry = z.object({
  id: z.string(),
  collection: z.string(),
  /** Of the draft where there is one. */
  title: z.string().nullable(),
  slug: z.string().nullable(),
  status: z.enum(['draft', 'published', 'scheduled']),
  isChanged: z.boolean(),
  isOverdue: z.boolean(),
  locale: z.string(),
  editedAt: z.string(),
  publishedAt: z.string().nullable(),
  scheduledAt: z.string().nullable(),
});
export type HomeEntry = z.output<typeof homeEntry>;

const entries = z.array(homeEntry);
export const panelHomeSchema = z.object({
  /** Those that the caller edited last. */
  mine: entries,
  /** Those that all users edited last. */
  recent: entries,
  /** Publications of the next 14 days, the next one first. */
  upcoming: entries,
  /** Publications that were due more than a minute ago, the oldest first. */
  overdue: entries,
});
export type PanelHome = z.output<typeof panelHomeSchema>;
export type HomeList = keyof PanelHome;
