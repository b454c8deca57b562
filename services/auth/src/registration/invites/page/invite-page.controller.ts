import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { pageOperation, pagePaths } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  loginOptions,
  LoginProviders,
  providerPageHeaders,
} from '../../../authentication/external-providers/index.js';
import {
  invalidLinkPage,
  newAccountPage,
  type LinkProblems,
  type RegistrationFlow,
} from '../../link-pages/index.js';
import { getInvite } from '../index.js';

const invitation: RegistrationFlow = {
  title: 'Accept your invitation',
  lead: 'You are invited to join this site.',
  start: '/_cms/api/auth/invite/register-options',
  finish: '/_cms/api/auth/invite/complete',
};

const title = 'This invitation cannot be used';
const problems: LinkProblems = {
  MISSING_PARAM: 'This link is not complete. Copy all of it from your mail.',
  INVALID_TOKEN:
    'This invitation is unknown, used, replaced or withdrawn. If you already have an account, sign in.',
  TOKEN_EXPIRED: 'This invitation has expired. Invitations are valid for 7 days: ask for a new one.',
  USER_EXISTS: 'An account with this e-mail address already exists: sign in.',
};

const show = declareOperation({
  ...pageOperation,
  id: 'showInvite',
  method: 'GET',
  path: pagePaths.invite,
  summary: 'Show the page on which an invited user creates their account',
  query: z.object({ token: z.string().max(200).optional() }),
  response: z.string(),
});

/** The page of an invitation (contract 28). */
@Controller()
export class InvitePageController {
  constructor(private readonly providers: LoginProviders) {}

  @Operation(show)
  async showInvite(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    try {
      const { email, roleName } = await getInvite(ctx, query.token);
      const offers = loginOptions(ctx, this.providers);
      void reply.headers(providerPageHeaders(ctx, offers));
      return newAccountPage(invitation, { token: query.token ?? '', email, roleName, offers });
    } catch (error) {
      const page = invalidLinkPage(reply, error, { title, problems });
      if (page === undefined) throw error;
      return page;
    }
  }
}
