import { Controller, Headers, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, RequestCookies, toLocationHeader } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { setSessionCookie } from '../sessions/index.js';
import { setupCookie, setupLinkCookie } from '../../registration/setup/index.js';
import { setLoginCookie, loginCookie } from './login-cookie.js';
import { redirectToLoginWithError } from './login-error.js';
import { beginProviderLogin } from './operations/begin-provider-login.js';
import { completeProviderLogin } from './operations/complete-provider-login.js';
import { ProviderDeps } from './provider-deps.js';
import { providerParams, providerQuery } from './providers.schemas.js';

const shared = {
  method: 'GET',
  tag: 'Authentication',
  access: 'public',
  scope: null,
  isDocumented: false,
  envelope: false,
  mapError: redirectToLoginWithError,
  params: providerParams,
  query: providerQuery,
  response: z.undefined(),
} as const;

const begin = declareOperation({
  ...shared,
  id: 'beginProviderLogin',
  path: 'auth/oauth/:provider',
  summary: 'Start signing in with a login provider',
});

const complete = declareOperation({
  ...shared,
  id: 'completeProviderLogin',
  path: 'auth/oauth/:provider/callback',
  summary: 'Complete signing in with a login provider',
});

/** Sign-in with an external account (contract 29). A browser navigates to both paths; all responses are redirects. */
@Controller()
export class ProvidersController {
  constructor(private readonly deps: ProviderDeps) {}

  @Operation(begin)
  async begin(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOf<typeof begin>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const browser = setLoginCookie(cookies);
    const request = { providerId: params.provider, query, browser, setupNonce: setupCookie(cookies) };
    await reply.redirect(await beginProviderLogin(ctx, this.deps, request), 302);
  }

  @Operation(complete)
  async complete(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOf<typeof complete>,
    @RequestCookies() cookies: Cookies,
    @Headers('user-agent') userAgent: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const returned = {
      providerId: params.provider,
      query,
      browser: loginCookie(cookies),
      setupLink: setupLinkCookie(cookies),
      userAgent,
    };
    const { session, redirect } = await completeProviderLogin(ctx, this.deps, returned);
    setSessionCookie(cookies, session);
    await reply.redirect(toLocationHeader(redirect), 302);
  }
}
