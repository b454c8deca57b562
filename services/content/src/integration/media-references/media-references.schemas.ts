import { mediaReferenceTypes } from '@quire/content-model';
import { rowId, storableText } from '@quire/operation';
import { z } from 'zod';

const collection = storableText(z.string().min(1).max(63));
const maxIds = 100;
export const maxPage = 200;

/** Certain entries, or the next ones in the order of their ids. */
export const mediaReferencesBody = z.union([
  z.object({ collection, ids: z.array(rowId).min(1).max(maxIds) }),
  z.object({ collection, after: rowId.nullable(), limit: z.number().int().min(1).max(maxPage) }),
]);

export type MediaReferencesQuery = z.output<typeof mediaReferencesBody>;

const occurrences = z.array(
  z.object({
    mediaId: z.string(),
    fieldSlug: z.string(),
    fieldPath: z.string(),
    occurrenceIndex: z.number().int(),
    referenceType: z.enum(mediaReferenceTypes),
  }),
);

const instant = z.iso.datetime().nullable();

/**
 * The collection that an answer is about, for whoever asks to notice that it is another one or of another shape by now.
 */
const describedCollection = z.object({
  id: z.string(),
  slug: z.string(),
  version: z.number().int(),
  /** Differs where the same rows would give other references or titles. */
  shape: z.string(),
});

export const mediaReferencesResponse = z.object({
  collection: describedCollection,
  /** In the order of their ids; those that are gone are absent. */
  entries: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      slug: z.string().nullable(),
      locale: z.string(),
      status: z.string(),
      scheduledAt: instant,
      deletedAt: instant,
      sources: z.object({
        columns: occurrences,
        /** Null when nothing is staged. */
        draft_overlay: occurrences.nullable(),
      }),
    }),
  ),
  /** After which id to go on; null when nothing is left. */
  next: z.string().nullable(),
});

export type MediaReferencesResponse = z.output<typeof mediaReferencesResponse>;
export type ReferringEntry = MediaReferencesResponse['entries'][number];
