import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, rowId, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { redirectToPanelWithError } from './connection-error.js';
import { callbackPath } from './connection-paths.js';
import { deleteImportConnection, listImportConnections } from './connections.operations.js';
import { callbackQuery, connectionSchema } from './connections.schemas.js';
import { completeAuthorization } from './operations/complete-authorization.js';

const shared = { tag: 'Import', access: 'import:execute', scope: 'admin', isDocumented: false } as const;

const complete = declareOperation({
  ...shared,
  id: 'completeAuthorization',
  method: 'GET',
  path: callbackPath,
  summary: 'Connect a site of the hosted edition, and return to the import panel',
  envelope: false,
  mapError: redirectToPanelWithError,
  query: callbackQuery,
  response: z.undefined(),
});

const list = declareOperation({
  ...shared,
  id: 'listImportConnections',
  method: 'GET',
  path: 'import/connections',
  summary: 'List the connected sites of the user, newest first',
  response: z.object({ items: z.array(connectionSchema) }),
});

const remove = declareOperation({
  ...shared,
  id: 'deleteImportConnection',
  method: 'DELETE',
  path: 'import/connections/:id',
  summary: 'Delete a connection with its access token',
  params: z.object({ id: rowId }),
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/**
 * Connections to sites by OAuth (spec document 3, rule 1). A browser navigates to the callback from the provider, with
 * the session cookie and without the header against CSRF: `state` protects it.
 */
@Controller()
export class ConnectionsController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(complete)
  async complete(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof complete>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await reply.redirect(await completeAuthorization(ctx, this.deps, query), 302);
  }

  @Operation(list)
  list(@Ctx() ctx: Context) {
    return listImportConnections(ctx);
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof remove>) {
    return deleteImportConnection(ctx, id);
  }
}
