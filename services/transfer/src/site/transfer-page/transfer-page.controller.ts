import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { can } from '@quire/permissions';
import { csrfToken, loginPath, pageHeaders, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { readTransferPage } from './read-transfer-page.js';
import { transferPage } from './transfer-page.js';

const show = declareOperation({
  ...pageOperation,
  id: 'showTransferSettings',
  method: 'GET',
  path: pagePaths.transfer,
  summary: 'Show the approval requests, exports and imports of the site to an administrator',
  query: z.object({ done: z.string().optional() }),
  response: z.string(),
});

const notices: ReadonlyMap<string, string> = new Map([
  ['approved', 'The request is approved. It can be used once within 15 minutes.'],
  ['denied', 'The request is denied.'],
]);

/**
 * The page on which administrators approve transfers that tokens request (spec document 2, Settings, Transfer). Its
 * script sends the decisions to the API.
 */
@Controller()
export class TransferPageController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(show)
  async showTransferSettings(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { principal } = ctx;
    // A token does not sign in to pages.
    if (principal.kind !== 'session') return redirectTo(reply, loginPath(url));
    if (!can(principal, 'transfer:export') || !can(principal, 'transfer:import'))
      throw new QuireError('INSUFFICIENT_PERMISSIONS', 'Only administrators may export and import the site');
    const data = await readTransferPage(ctx, this.deps);
    void reply.headers(pageHeaders({ runsScript: true }));
    return transferPage({
      ...data,
      csrf: csrfToken.issue(cookies),
      notice: notices.get(query.done ?? ''),
    });
  }
}
