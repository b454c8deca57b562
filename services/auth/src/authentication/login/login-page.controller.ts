import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, isLocalPath, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { assertCsrfToken, csrfToken, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { LinkOrigins } from '../../mail/links/index.js';
import { MailQueue } from '../../mail/index.js';
import { needsSetup } from '../../registration/setup/index.js';
import { getAuthMode } from '../auth-mode/index.js';
import { loginOptions, LoginProviders, providerPageHeaders } from '../external-providers/index.js';
import { offersMagicLinks, sendMagicLink, setLinkRedirectCookie } from '../magic-links/index.js';
import { PasskeyDeps } from '../passkeys/index.js';
import { isSignedIn } from '../sessions/index.js';
import { SignInMode } from '../sign-in-mode.js';
import { loginProblem } from '../sign-in-problems.js';
import { loginPage } from './login-page.js';

const redirect = z.string().max(8_000).optional();

const show = declareOperation({
  ...pageOperation,
  id: 'showLogin',
  method: 'GET',
  path: pagePaths.login,
  summary: 'Show the login page',
  query: z.object({
    redirect,
    error: z.string().optional(),
    sent: z.string().optional(),
    again: z.string().optional(),
  }),
  response: z.string(),
});

const send = declareOperation({
  ...pageOperation,
  id: 'sendLoginLink',
  method: 'POST',
  path: pagePaths.login,
  availableDuringImport: true,
  summary: 'Send a sign-in link from the login page',
  body: z.object({
    email: z.string().max(300).default(''),
    redirect,
    again: z.string().optional(),
    csrf: z.string().max(200).optional(),
  }),
  bodyFormats: ['form'],
  response: z.string(),
});

/** The login page (contract 4 and 28). */
@Controller()
export class LoginPageController {
  constructor(
    private readonly mails: MailQueue,
    private readonly origins: LinkOrigins,
    private readonly deps: PasskeyDeps,
    private readonly mode: SignInMode,
    private readonly providers: LoginProviders,
  ) {}

  @Operation(show)
  async showLogin(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const redirect = localPath(query.redirect);
    const isAgain = query.again !== undefined;
    if (isSignedIn(ctx) && query.error === undefined && !isAgain)
      return redirectTo(reply, redirect ?? pagePaths.home);
    if (await needsSetup(ctx)) return redirectTo(reply, setupPath(query.error));
    const isLinkSent = query.sent !== undefined;
    const problem = loginProblem(query.error);
    return this.page(ctx, { cookies, reply }, { redirect, problem, isLinkSent, isAgain });
  }

  @Operation(send)
  async sendLoginLink(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof send>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    assertCsrfToken(cookies, body.csrf);
    const redirect = localPath(body.redirect);
    const isAgain = body.again !== undefined;
    try {
      const { mails, origins } = this;
      await sendMagicLink(ctx, { mails, origins, limiter: this.deps.limiter }, body.email);
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'VALIDATION_ERROR') throw error;
      void reply.status(400);
      const problem = 'Enter the e-mail address of your account.';
      const shown = { redirect, problem, email: body.email, isLinkSent: false, isAgain };
      return this.page(ctx, { cookies, reply }, shown);
    }
    setLinkRedirectCookie(cookies, redirect);
    const back = redirect === undefined ? '' : `&redirect=${encodeURIComponent(redirect)}`;
    return redirectTo(reply, `${pagePaths.login}?sent=1${isAgain ? '&again=1' : ''}${back}`);
  }

  private async page(
    ctx: Context,
    { cookies, reply }: { cookies: Cookies; reply: FastifyReply },
    shown: {
      redirect: string | undefined;
      problem: string | undefined;
      email?: string;
      isLinkSent: boolean;
      isAgain: boolean;
    },
  ): Promise<string> {
    const { signupEnabled } = await getAuthMode(ctx, this.mode, this.providers);
    const sendsMail = this.mails.isConfigured;
    const sendsLinks = sendsMail && offersMagicLinks(ctx);
    const offers = loginOptions(ctx, this.providers);
    void reply.headers(providerPageHeaders(ctx, offers));
    return loginPage({
      ...shown,
      csrf: csrfToken.issue(cookies),
      sendsLinks,
      allowsSignups: signupEnabled && sendsMail,
      offers,
    });
  }
}

/** @returns the setup's path with the error of a login provider, which the setup shows as the login page does. */
function setupPath(error: string | undefined): string {
  return error === undefined ? pagePaths.setup : `${pagePaths.setup}?error=${encodeURIComponent(error)}`;
}

/** @returns the redirect path; undefined unless it is a path of this site. */
function localPath(path: string | undefined): string | undefined {
  return path !== undefined && isLocalPath(path) ? path : undefined;
}
