import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, storableText } from '@quire/operation';
import { z } from 'zod';
import { addressQuery, entryResponseSchema, entryParams, EntryDeps } from '../index.js';
import { getRevision, listRevisions, restoreRevision } from './revisions.operations.js';

const revisionSchema = z
  .object({
    id: z.string(),
    collection: z.string(),
    entryId: z.string(),
    data: z.record(z.string(), z.unknown()),
    authorId: z.string().nullable(),
    createdAt: z.string(),
    references: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: 'Revision' });

const shared = { tag: 'Content', isDocumented: false } as const;
export const oneRevision = z.object({ revisionId: storableText() });
/** Clamped to the range, unlike in other lists (contract 9). */
const clampedLimit = z.coerce
  .number()
  .int()
  .catch(50)
  .default(50)
  .transform((limit) => Math.min(100, Math.max(1, limit)));

export const listOfEntry = declareOperation({
  ...shared,
  id: 'listRevisions',
  method: 'GET',
  path: 'content/:collection/:id/revisions',
  summary: 'List the revisions of an entry, newest first',
  access: 'content:read_drafts',
  scope: 'content:read',
  params: entryParams,
  query: addressQuery.extend({ limit: clampedLimit }),
  response: z.object({ items: z.array(revisionSchema), total: z.number().int() }),
});

const getOne = declareOperation({
  ...shared,
  id: 'getRevision',
  method: 'GET',
  path: 'revisions/:revisionId',
  summary: 'Get a revision',
  access: 'content:read_drafts',
  scope: 'content:read',
  params: oneRevision,
  response: z.object({ item: revisionSchema }),
});

export const restoreOne = declareOperation({
  ...shared,
  id: 'restoreRevision',
  method: 'POST',
  path: 'revisions/:revisionId/restore',
  summary: 'Restore the values of a revision',
  access: 'content:edit',
  scope: 'content:write',
  isBlockedInReadOnlyMode: true,
  params: oneRevision,
  body: z.object({ overrideLock: z.boolean().optional() }),
  bodyIsOptional: true,
  response: entryResponseSchema,
});

/** Revisions of entries (contract 9); not in the OpenAPI document. */
@Controller()
export class RevisionsController {
  constructor(private readonly entries: EntryDeps) {}

  @Operation(listOfEntry)
  list(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof listOfEntry>) {
    return listRevisions(ctx, this.entries, { ...params, ...query });
  }

  @Operation(getOne)
  async get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof getOne>) {
    return { item: await getRevision(ctx, params.revisionId) };
  }

  @Operation(restoreOne)
  restore(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof restoreOne>) {
    return restoreRevision(ctx, this.entries, { ...params, ...body });
  }
}
