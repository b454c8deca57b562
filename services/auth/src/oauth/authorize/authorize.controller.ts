import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { authorizeQuery, consentBody } from './authorize.schemas.js';
import { consentHeaders, consentPage } from './consent-page.js';
import { consentToken } from './consent-token.js';
import { failedDecision, tellApplication } from './failed-decision.js';
import { askConsent } from './operations/ask-consent.js';
import { decideConsent } from './operations/decide-consent.js';
import { readAuthorizationRequest } from './operations/read-request.js';

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
    const consent = await askConsent(ctx, read.request);
    reply.headers(consentHeaders(read.request.redirectUri));
    return consentPage({ ...consent, address: url, csrf: consentToken.give(cookies) });
  }

  @Operation(decide)
  async decide(
    @Ctx() ctx: Context,
    @Input() { query, body }: InputOf<typeof decide>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) throw new QuireError('NOT_AUTHENTICATED', 'Your session is over: sign in again');
    if (!consentToken.isOwn(cookies, body.csrf))
      throw new QuireError('CSRF_REJECTED', 'This form is out of date: go back and start again');
    const read = await readAuthorizationRequest(ctx, query);
    if (read.kind === 'refused') return leadTo(reply, read.location);
    const { request } = read;
    const location = await decideConsent(ctx, request, body).catch((error: unknown) => {
      throw failedDecision(error, request);
    });
    return leadTo(reply, location);
  }
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
