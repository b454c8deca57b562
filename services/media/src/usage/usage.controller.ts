import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, pageQuery, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { repairMediaUsage } from './operations/repair-media-usage.js';
import {
  getMediaUsage,
  listMediaUsageCollectionDeletions,
  listMediaUsageWork,
  retryMediaUsageCollectionDeletion,
  retryMediaUsageWork,
} from './usage.operations.js';
import {
  deletionItemSchema,
  deletionsQuery,
  repairBody,
  repairSchema,
  retryDeletionBody,
  retryWorkBody,
  usageDetailsSchema,
  usageParams,
  workItemSchema,
  workQuery,
} from './usage.schemas.js';
import { UsageDeps } from './usage-deps.js';

const maintenance = { tag: 'Media', access: 'schema:manage', scope: 'admin' } as const;

const usage = declareOperation({
  tag: 'Media',
  access: 'content:read_drafts',
  scope: 'admin',
  id: 'getMediaUsage',
  method: 'GET',
  path: 'media/:id/usage',
  summary: 'List the entries that use a media item',
  params: usageParams,
  query: pageQuery,
  response: usageDetailsSchema,
  errors: ['NOT_FOUND', 'INVALID_CURSOR'],
});

export const repair = declareOperation({
  ...maintenance,
  id: 'repairMediaUsage',
  method: 'POST',
  path: 'admin/media-usage/repair',
  timeoutSeconds: 3600,
  summary: 'Rebuild the index of media usage',
  body: repairBody,
  response: repairSchema,
  errors: ['COLLECTION_NOT_FOUND', 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS'],
});

const work = declareOperation({
  ...maintenance,
  id: 'listMediaUsageWork',
  method: 'GET',
  path: 'admin/media-usage/work',
  summary: 'List entries of a collection whose indexing is pending or has failed',
  query: workQuery,
  response: z.object({ items: z.array(workItemSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const retry = declareOperation({
  ...maintenance,
  id: 'retryMediaUsageWork',
  method: 'POST',
  path: 'admin/media-usage/work/retry',
  summary: 'Retry the indexing of an entry',
  body: retryWorkBody,
  response: z.object({ changed: z.boolean(), item: workItemSchema }),
  errors: ['NOT_FOUND', 'WORK_LEASE_ACTIVE', 'WORK_CHANGED'],
});

const deletions = declareOperation({
  ...maintenance,
  id: 'listMediaUsageCollectionDeletions',
  method: 'GET',
  path: 'admin/media-usage/collection-deletions',
  summary: 'List deleted collections whose usage is not deleted yet',
  query: deletionsQuery,
  response: z.object({ items: z.array(deletionItemSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const retryOfDeletion = declareOperation({
  ...maintenance,
  id: 'retryMediaUsageCollectionDeletion',
  method: 'POST',
  path: 'admin/media-usage/collection-deletions/retry',
  summary: 'Retry the deletion of the usage of a deleted collection',
  body: retryDeletionBody,
  response: z.object({ changed: z.boolean(), item: deletionItemSchema }),
  errors: ['NOT_FOUND', 'WORK_LEASE_ACTIVE', 'WORK_CHANGED'],
});

/** Usage of media and the maintenance of its index (document 1, Media 2 to 10; contract 11 and 13). */
@Controller()
export class UsageController {
  constructor(private readonly deps: UsageDeps) {}

  @Operation(usage)
  usage(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof usage>) {
    return getMediaUsage(ctx, this.deps, { id: params.id, ...query });
  }

  @Operation(repair)
  repair(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof repair>) {
    return repairMediaUsage(ctx, this.deps, body);
  }

  @Operation(work)
  work(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof work>) {
    return listMediaUsageWork(ctx, query);
  }

  @Operation(retry)
  retry(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof retry>) {
    return retryMediaUsageWork(ctx, body);
  }

  @Operation(deletions)
  deletions(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof deletions>) {
    return listMediaUsageCollectionDeletions(ctx, query);
  }

  @Operation(retryOfDeletion)
  retryMediaUsageCollectionDeletion(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof retryOfDeletion>) {
    return retryMediaUsageCollectionDeletion(ctx, body.collectionId);
  }
}
