import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import {
  deletedSchema,
  listQuery,
  notFoundListSchema,
  pruneBody,
  summaryQuery,
  summarySchema,
} from './not-found-log.schemas.js';
import {
  clearNotFoundLog,
  getNotFoundSummary,
  listNotFoundEntries,
  pruneNotFoundLog,
} from './not-found-log.operations.js';
import { NotFoundRecorder } from './not-found-recorder.js';

const read = { tag: 'Redirects', access: 'redirects:read', scope: 'admin' } as const;
const write = { tag: 'Redirects', access: 'redirects:manage', scope: 'admin' } as const;

const list = declareOperation({
  ...read,
  id: 'listNotFoundEntries',
  method: 'GET',
  path: 'redirects/404s',
  summary: 'List paths that were not found',
  query: listQuery,
  response: notFoundListSchema,
  errors: ['INVALID_CURSOR'],
});

const prune = declareOperation({
  ...write,
  id: 'pruneNotFoundLog',
  method: 'POST',
  path: 'redirects/404s',
  summary: 'Delete paths last requested before an instant',
  body: pruneBody,
  response: deletedSchema,
});

const clear = declareOperation({
  ...write,
  id: 'clearNotFoundLog',
  method: 'DELETE',
  path: 'redirects/404s',
  summary: 'Clear the log of paths that were not found',
  response: deletedSchema,
});

const summary = declareOperation({
  ...read,
  id: 'getNotFoundSummary',
  method: 'GET',
  path: 'redirects/404s/summary',
  summary: 'List the paths that were not found most often',
  query: summaryQuery,
  response: z.object({ items: z.array(summarySchema) }),
});

/** The log of paths that were not found (spec document 1, Redirects; contract 23). */
@Controller()
export class NotFoundLogController {
  constructor(private readonly recorder: NotFoundRecorder) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listNotFoundEntries(ctx, query);
  }

  @Operation(prune)
  prune(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof prune>) {
    return pruneNotFoundLog(ctx, body.olderThan);
  }

  @Operation(clear)
  clear(@Ctx() ctx: Context) {
    return clearNotFoundLog(ctx, this.recorder);
  }

  @Operation(summary)
  async summary(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof summary>) {
    return { items: await getNotFoundSummary(ctx, query.limit) };
  }
}
