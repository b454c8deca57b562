import { pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';
import { listQuery } from '../entries.schemas.js';

/** The views of a collection's entries in the panel. All but the trash leave out the trash. */
export const panelViews = [
  'all',
  'draft',
  'published',
  'changed',
  'scheduled',
  'overdue',
  'mine',
  'trash',
] as const;
export type PanelView = (typeof panelViews)[number];

const maxColumns = 8;

const columns = storableText(z.string().min(1).max(1000))
  .transform((text) => [...new Set(text.split(',').map((slug) => slug.trim()))].filter(Boolean))
  .refine((slugs) => slugs.length >= 1 && slugs.length <= maxColumns, `takes 1 to ${maxColumns} fields`);

const { status: _status, orderBy: _orderBy, dateField: _dateField, ...filters } = listQuery.shape;

export const panelEntriesQuery = pageQuery
  .extend({
    ...filters,
    view: z.enum(panelViews).default('all'),
    /** Slugs of fields. */
    columns: columns.optional(),
    /** As in a list of entries, or `editedAt`. Default: `deletedAt` in the trash, else `editedAt`. */
    orderBy: z.string().max(128).optional(),
    dateField: z.enum(['createdAt', 'editedAt', 'updatedAt', 'publishedAt']).optional(),
  })
  .refine(({ view, authorId }) => view !== 'mine' || authorId === undefined, {
    path: ['authorId'],
    message: "cannot be given with the view 'mine'",
  });

export type PanelEntriesQuery = z.output<typeof panelEntriesQuery>;

export const panelCountsQuery = z.object({ locale: z.string().max(64).optional() });

const image = z.object({ src: z.string(), alt: z.string().nullable() });
const status = z.enum(['draft', 'published', 'scheduled']);

/**
 * A value in a column: texts and the text of rich text in at most 200 characters, a file by its name, an image, JSON as
 * text, and the number of references, repeater rows and blocks.
 */
const cell = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), image]).nullable();
export type PanelCell = z.output<typeof cell>;

const panelEntry = z.object({
  id: z.string(),
  /** Of the draft where there is one. */
  title: z.string().nullable(),
  /** The staged one where there is one. */
  slug: z.string().nullable(),
  status,
  /** Whether it is published, with a draft that is not. */
  isChanged: z.boolean(),
  /** Whether its publication was due more than a minute ago. */
  isOverdue: z.boolean(),
  locale: z.string(),
  translationGroup: z.string(),
  /** The other entries of the group outside the trash, by locale. */
  translations: z.array(z.object({ id: z.string(), locale: z.string(), status, isChanged: z.boolean() })),
  /** Values of the draft where there is one, by field slug. */
  columns: z.record(z.string(), cell),
  /** Of the first image field. */
  image: image.nullable(),
  /** The name is null for a user without one, or deleted, and while the auth service is unavailable. */
  author: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Names. */
  bylines: z.array(z.string()),
  createdAt: z.string(),
  editedAt: z.string(),
  publishedAt: z.string().nullable(),
  scheduledAt: z.string().nullable(),
  /** Of entries in the trash. */
  deletedAt: z.string().optional(),
  lock: z.object({ userId: z.string(), userName: z.string().nullable(), expiresAt: z.string() }).nullable(),
});
export type PanelEntry = z.output<typeof panelEntry>;

export const panelEntriesPage = z.object({
  items: z.array(panelEntry),
  nextCursor: z.string().optional(),
  /** On the first page; absent where counting would read too many entries. */
  total: z.number().int().optional(),
});
export type PanelEntriesPage = z.output<typeof panelEntriesPage>;

/** Counts above this one are reported as this one. */
export const maxPanelCount = 10_000;

const count = z.number().int().min(0).max(maxPanelCount);
export const panelCounts = z.object({
  all: count,
  draft: count,
  published: count,
  changed: count,
  scheduled: count,
  overdue: count,
  mine: count,
  trash: count,
} satisfies Record<PanelView, z.ZodType>);
export type PanelCounts = z.output<typeof panelCounts>;
