import { rowId, storableText } from '@quire/operation';
import { z } from 'zod';

const maxIds = 100;

const idList = z
  .string()
  .transform((list) => [
    ...new Set(
      list
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    ),
  ])
  .pipe(z.array(rowId).min(1).max(maxIds));

export const panelPeopleQuery = z
  .object({
    /** Part of a name. */
    q: storableText(z.string().trim().max(200)).optional(),
    ids: idList.optional(),
    /** Of a search; `ids` returns all of them. */
    limit: z.coerce.number().int().min(1).max(100).default(20),
  })
  .refine(({ q, ids }) => q === undefined || ids === undefined, {
    path: ['ids'],
    message: 'cannot be combined with q',
  });

export const panelPeopleSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      avatarUrl: z.string().nullable(),
      isDisabled: z.boolean(),
    }),
  ),
});

export type PanelPeopleQuery = z.output<typeof panelPeopleQuery>;
export type PanelPerson = z.output<typeof panelPeopleSchema>['items'][number];
