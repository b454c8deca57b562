import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { pageHeaders, pageOperation, pagePaths } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  loginOptions,
  LoginProviders,
  providerPageHeaders,
} from '../../../authentication/external-providers/index.js';
import { invalidLinkPage, invalidLinkStatus, type LinkProblems } from '../../link-pages/index.js';
import { getInvite } from '../index.js';
import { invitePage } from './invite-page.js';

const title = 'This invitation cannot be used';
const problems: LinkProblems = {
  MISSING_PARAM: 'This link is not complete. Copy all of it from your mail.',
  INVALID_TOKEN:
    'This invitation is unknown, it has been used or withdrawn, or a newer one replaced it. If you have an account already, sign in.',
  TOKEN_EXPIRED: 'This invitation is too old. Invitations last 7 days: ask for a new one.',
  USER_EXISTS: 'There is an account with this e-mail address already: sign in.',
};

const show = declareOperation({
  ...pageOperation,
  id: 'showInvite',
  method: 'GET',
  path: pagePaths.invite,
  summary: 'The page on which an invited visitor creates their account',
  query: z.object({ token: z.string().max(200).optional() }),
  response: z.string(),
});

/** Accepting an invitation (contract 28). */
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
      const offers = loginOptions(this.providers);
      void reply.headers(providerPageHeaders(ctx, offers));
      return invitePage({ token: query.token ?? '', email, roleName, offers });
    } catch (error) {
      const invalidLink =
        error instanceof QuireError ? invalidLinkPage(error, { title, problems }) : undefined;
      if (invalidLink === undefined) throw error;
      void reply.status(invalidLinkStatus(error as QuireError)).headers(pageHeaders());
      return invalidLink;
    }
  }
}
