import { storableText } from '@quire/operation';
import { z } from 'zod';

/** Views that a user may save for a collection. */
export const maxViews = 100;

export const collectionParams = z.object({ collection: storableText(z.string().min(1).max(63)) });
/** The client chooses the id: a repeated request saves the view once. */
export const viewParams = collectionParams.extend({ id: z.ulid() });

export const saveViewBody = z.strictObject({
  name: storableText(z.string().trim().min(1).max(80)),
  search: storableText(z.string().max(2000)),
  isShared: z.boolean().default(false),
});
export type SavedViewInput = z.output<typeof saveViewBody>;

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  search: z.string(),
  isShared: z.boolean(),
  ownerId: z.string(),
  updatedAt: z.string(),
});
export type SavedViewResponse = z.output<typeof savedViewSchema>;
