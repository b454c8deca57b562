import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { assertCsrfToken, csrfToken, pageHeaders, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { getAuthMode } from '../../../authentication/auth-mode/index.js';
import { LoginProviders } from '../../../authentication/external-providers/index.js';
import { PasskeyDeps } from '../../../authentication/passkeys/index.js';
import { SignInMode } from '../../../authentication/sign-in-mode.js';
import { MailQueue } from '../../../mail/index.js';
import { LinkOrigins } from '../../../mail/links/index.js';
import { DefaultRolePolicy } from '../../../users/allowed-domains/index.js';
import { invalidLinkPage, type LinkProblems } from '../../link-pages/index.js';
import { needsSetup } from '../../setup/index.js';
import { getSignup, requestSignup } from '../index.js';
import { signupClosedPage, signupPage, signupRequestPage } from './signup-pages.js';

const title = 'This link cannot be used';
const problems: LinkProblems = {
  INVALID_TOKEN: 'This link is unknown or used. If you already have an account, sign in.',
  TOKEN_EXPIRED: 'This link has expired. Links are valid for 15 minutes: request a new one.',
  USER_EXISTS: 'An account with this e-mail address already exists: sign in.',
  DOMAIN_NOT_ALLOWED: 'Your organisation can no longer sign up for this site. Ask for an invitation.',
};

const show = declareOperation({
  ...pageOperation,
  id: 'showSignup',
  method: 'GET',
  path: pagePaths.signup,
  summary: 'Show the pages on which a user of an allowed domain creates their account',
  query: z.object({ token: z.string().max(200).optional(), sent: z.string().optional() }),
  response: z.string(),
});

const send = declareOperation({
  ...pageOperation,
  id: 'sendSignupLink',
  method: 'POST',
  path: pagePaths.signup,
  summary: 'Request a signup link from the signup page',
  body: z.object({ email: z.string().max(300).default(''), csrf: z.string().max(200).optional() }),
  bodyFormats: ['form'],
  response: z.string(),
});

/** The pages of signups (contract 28). */
@Controller()
export class SignupPageController {
  constructor(
    private readonly mails: MailQueue,
    private readonly origins: LinkOrigins,
    private readonly deps: PasskeyDeps,
    private readonly mode: SignInMode,
    private readonly providers: LoginProviders,
    private readonly defaultRoles: DefaultRolePolicy,
  ) {}

  @Operation(show)
  async showSignup(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (await needsSetup(ctx)) return redirectTo(reply, pagePaths.setup);
    if (query.token !== undefined) return this.showLinkPage(ctx, reply, query.token);
    void reply.headers(pageHeaders());
    const { signupEnabled } = await getAuthMode(ctx, this.mode, this.providers);
    if (!signupEnabled || !this.mails.isConfigured) return signupClosedPage();
    return signupRequestPage({ csrf: csrfToken.issue(cookies), isLinkSent: query.sent !== undefined });
  }

  @Operation(send)
  async sendSignupLink(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof send>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    assertCsrfToken(cookies, body.csrf);
    try {
      const { mails, origins } = this;
      await requestSignup(ctx, { mails, origins, limiter: this.deps.limiter }, body.email);
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'VALIDATION_ERROR') throw error;
      void reply.status(400).headers(pageHeaders());
      const problem = 'Enter your e-mail address.';
      return signupRequestPage({
        csrf: csrfToken.issue(cookies),
        problem,
        email: body.email,
        isLinkSent: false,
      });
    }
    return redirectTo(reply, `${pagePaths.signup}?sent=1`);
  }

  private async showLinkPage(ctx: Context, reply: FastifyReply, token: string): Promise<string> {
    try {
      const { email, roleName } = await getSignup(ctx, this.defaultRoles, token);
      void reply.headers(pageHeaders({ runsScript: true }));
      // Login providers are on the login page, where users of allowed domains need no link.
      return signupPage({ token, email, roleName, offers: [] });
    } catch (error) {
      const page = invalidLinkPage(reply, error, { title, problems });
      if (page === undefined) throw error;
      return page;
    }
  }
}
