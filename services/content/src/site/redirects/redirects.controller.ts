import { Controller, Headers } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import {
  createRedirect,
  deleteRedirect,
  getRedirect,
  listRedirects,
  resolveRedirect,
  updateRedirect,
} from './redirects.operations.js';
import {
  createRedirectBody,
  listRedirectsQuery,
  redirectListSchema,
  redirectParams,
  redirectSchema,
  resolvedSchema,
  resolveQuery,
  updateRedirectBody,
} from './redirects.schemas.js';
import { VisitRecorder } from './visit-recorder.js';

const read = { tag: 'Redirects', access: 'redirects:read', scope: 'admin' } as const;
const write = { tag: 'Redirects', access: 'redirects:manage', scope: 'admin' } as const;

const list = declareOperation({
  ...read,
  id: 'listRedirects',
  method: 'GET',
  path: 'redirects',
  summary: 'List redirects, newest first',
  query: listRedirectsQuery,
  response: redirectListSchema,
  errors: ['INVALID_CURSOR'],
});

const create = declareOperation({
  ...write,
  id: 'createRedirect',
  method: 'POST',
  path: 'redirects',
  summary: 'Create a redirect',
  body: createRedirectBody,
  status: 201,
  response: redirectSchema,
  errors: ['CONFLICT'],
});

const resolve = declareOperation({
  id: 'resolveRedirect',
  tag: 'Redirects',
  access: 'public',
  underEdgeAccess: 'public',
  scope: null,
  method: 'GET',
  path: 'redirects/resolve',
  summary: 'Resolve the redirect of a path',
  isDocumented: false,
  query: resolveQuery,
  response: resolvedSchema,
});

const get = declareOperation({
  ...read,
  id: 'getRedirect',
  method: 'GET',
  path: 'redirects/:id',
  summary: 'Get a redirect',
  params: redirectParams,
  response: redirectSchema,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateRedirect',
  method: 'PUT',
  path: 'redirects/:id',
  summary: 'Update a redirect',
  params: redirectParams,
  body: updateRedirectBody,
  response: redirectSchema,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const remove = declareOperation({
  ...write,
  id: 'deleteRedirect',
  method: 'DELETE',
  path: 'redirects/:id',
  summary: 'Delete a redirect',
  params: redirectParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Redirects (spec document 1, Redirects; contract 23). */
@Controller()
export class RedirectsController {
  constructor(private readonly visitRecorder: VisitRecorder) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listRedirects(ctx, query);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createRedirect(ctx, body);
  }

  /** Headers that a front end forwards complete the visitor's data of the query. */
  @Operation(resolve)
  resolve(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof resolve>,
    @Headers('referer') referrer?: string,
    @Headers('user-agent') userAgent?: string,
  ) {
    return resolveRedirect(ctx, this.visitRecorder, {
      ...query,
      referrer: query.referrer ?? referrer,
      userAgent: query.userAgent ?? userAgent,
    });
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getRedirect(ctx, params.id);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateRedirect(ctx, { id: params.id, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteRedirect(ctx, params.id);
  }
}
