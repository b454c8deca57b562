import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PasskeyServices } from '../../passkeys/index.js';
import { OAuthServices } from '../oauth-services.js';
import { authorizeQuery, consentBody } from './authorize.schemas.js';
import { consentHeaders, consentPage } from './consent-page.js';
import { consentToken } from './consent-token.js';
import { failedDecision, tellApplication } from './failed-decision.js';
import { askConsent } from './operations/ask-consent.js';
import { decideConsent } from './operations/decide-consent.js';
import { readAuthorizationRequest, type AuthorizationRequest } from './operations/read-request.js';

const shared = {
  path: '/_cms/oauth/authorize',
  tag: 'OAuth',
  access: 'public',
  scope: null,
  documented: false,
  query: authorizeQuery,
  bare: true,
  response: z.string(),
} as const;

const ask = declareOperation({
  ...shared,
  id: 'askForConsent',
  method: 'GET',
  summary: 'The page on which a user lets an application in',
});

const decide = declareOperation({
  ...shared,
  id: 'decideOnConsent',
  method: 'POST',
  summary: 'What the user decided on that page',
  body: consentBody,
  bodyFormats: ['form'],
  refusal: tellApplication,
});

/** The authorization endpoint (contract 32): pages, not the API. */
@Controller()
export class OAuthAuthorizeController {
  constructor(
    readonly oauth: OAuthServices,
    readonly passkeys: PasskeyServices,
  ) {}

  @Operation(ask)
  async ask(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof ask>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const read = await readAuthorizationRequest(ctx, query);
    if (read.kind === 'refused') return leadTo(reply, read.location);
    if (!isSignedIn(ctx)) return leadTo(reply, `/_cms/admin/login?redirect=${encodeURIComponent(url)}`);
    return this.page(ctx, { request: read.request, url, cookies, reply });
  }

  @Operation(decide)
  async decide(
    @Ctx() ctx: Context,
    @Input() { query, body }: InputOf<typeof decide>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) throw new QuireError('NOT_AUTHENTICATED', 'Your session is over: sign in again');
    if (!consentToken.isOwn(cookies, body.csrf))
      throw new QuireError('CSRF_REJECTED', 'This form is out of date: go back and start again');
    const read = await readAuthorizationRequest(ctx, query);
    if (read.kind === 'refused') return leadTo(reply, read.location);
    const { request } = read;
    try {
      return await leadTo(reply, await decideConsent(ctx, this, request, body));
    } catch (error) {
      if (!isAboutPasskey(error)) throw failedDecision(error, request);
      void reply.status(error.status);
      return this.page(ctx, { request, url, cookies, reply }, `${error.message}.`);
    }
  }

  private async page(
    ctx: Context,
    {
      request,
      url,
      cookies,
      reply,
    }: { request: AuthorizationRequest; url: string; cookies: Cookies; reply: FastifyReply },
    problem?: string,
  ): Promise<string> {
    const consent = await askConsent(ctx, request);
    void reply.headers(consentHeaders(consent));
    const csrf = consentToken.give(cookies);
    return consentPage({ ...consent, address: url, csrf, ...(problem === undefined ? {} : { problem }) });
  }
}

/** Whether the user can try again, with a passkey or a new sign-in. */
function isAboutPasskey(error: unknown): error is QuireError {
  return (
    error instanceof QuireError &&
    (error.code === 'REAUTHENTICATION_REQUIRED' || error.code === 'UNAUTHORIZED')
  );
}

/** A person in a browser: a token does not decide. */
function isSignedIn({ principal }: Context): boolean {
  return principal.kind === 'session';
}

async function leadTo(reply: FastifyReply, location: string): Promise<undefined> {
  await reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'referrer-policy': 'no-referrer' })
    .redirect(location, 302);
  return undefined;
}
