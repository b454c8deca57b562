import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { OAuthDeps } from '../oauth-deps.js';
import {
  approveOAuthClient,
  createOAuthClient,
  deleteOAuthClient,
  getOAuthClient,
  listOAuthClients,
  updateOAuthClient,
} from './clients.operations.js';
import {
  clientParams,
  clientSchema,
  createClientBody,
  listClientsQuery,
  updateClientBody,
} from './clients.schemas.js';

const shared = {
  tag: 'OAuth',
  access: 'auth:manage_connections',
  scope: 'admin',
  isDocumented: false,
} as const;
const path = 'admin/oauth-clients';

const list = declareOperation({
  ...shared,
  id: 'listOAuthClients',
  method: 'GET',
  path,
  summary: 'List the registered applications, newest first',
  query: listClientsQuery,
  response: z.object({ items: z.array(clientSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const create = declareOperation({
  ...shared,
  id: 'createOAuthClient',
  reauthentication: 'recent',
  method: 'POST',
  path,
  summary: 'Register an application',
  body: createClientBody,
  status: 201,
  response: clientSchema,
  errors: ['CONFLICT'],
});

const get = declareOperation({
  ...shared,
  id: 'getOAuthClient',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get an application',
  params: clientParams,
  response: clientSchema,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...shared,
  id: 'updateOAuthClient',
  reauthentication: 'recent',
  method: 'PUT',
  path: `${path}/:id`,
  summary: 'Update an application',
  params: clientParams,
  body: updateClientBody,
  response: clientSchema,
  errors: ['NOT_FOUND'],
});

const approve = declareOperation({
  ...shared,
  id: 'approveOAuthClient',
  reauthentication: 'recent-session',
  method: 'POST',
  path: `${path}/:id/approve`,
  summary: 'Approve an application that registered itself',
  params: clientParams,
  response: clientSchema,
  errors: ['NOT_FOUND'],
});

const remove = declareOperation({
  ...shared,
  id: 'deleteOAuthClient',
  reauthentication: 'recent',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete an application and revoke its tokens',
  params: clientParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** The management of applications by administrators (contract 33). */
@Controller()
export class OAuthClientsController {
  constructor(private readonly deps: OAuthDeps) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listOAuthClients(ctx, query);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createOAuthClient(ctx, this.deps, { ...body, scopes: body.scopes ?? null });
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getOAuthClient(ctx, params.id);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateOAuthClient(ctx, this.deps, { id: params.id, update: body });
  }

  @Operation(approve)
  approve(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof approve>) {
    return approveOAuthClient(ctx, this.deps, params.id);
  }

  @Operation(remove)
  async remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    await deleteOAuthClient(ctx, this.deps, params.id);
    return { deleted: true };
  }
}
