import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { CsrfToken, loginPath, pagePaths } from '@quire/ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PasskeyDeps } from '../../authentication/passkeys/index.js';
import { isSignedIn } from '../../authentication/sessions/index.js';
import { OAuthDeps } from '../oauth-deps.js';
import { authorizeQuery, consentBody } from './authorize.schemas.js';
import { consentHeaders, consentPage } from './consent-page.js';
import { toConsentError, respondToApplication } from './consent-error.js';
import { getConsent } from './operations/get-consent.js';
import { submitConsent } from './operations/submit-consent.js';
import {
  parseAuthorizationRequest,
  type AuthorizationRequest,
} from './operations/parse-authorization-request.js';

const consentCsrfToken = new CsrfToken('cms_oauth_csrf', pagePaths.consent);

const shared = {
  path: pagePaths.consent,
  tag: 'OAuth',
  access: 'public',
  scope: null,
  isDocumented: false,
  query: authorizeQuery,
  envelope: false,
  response: z.string(),
} as const;

const show = declareOperation({
  ...shared,
  id: 'showConsent',
  method: 'GET',
  summary: 'Show the consent page',
});

const submit = declareOperation({
  ...shared,
  id: 'submitConsent',
  method: 'POST',
  availableDuringImport: true,
  summary: 'Submit the decision of the consent page',
  body: consentBody,
  bodyFormats: ['form'],
  mapError: respondToApplication,
});

/** The authorization endpoint (contract 32): pages instead of API responses. */
@Controller()
export class OAuthAuthorizeController {
  constructor(
    readonly oauth: OAuthDeps,
    readonly passkeys: PasskeyDeps,
  ) {}

  @Operation(show)
  async showConsent(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const parsed = await parseAuthorizationRequest(ctx, query);
    if (parsed.kind === 'rejected') return redirectTo(reply, parsed.location);
    if (!isSignedIn(ctx)) return redirectTo(reply, loginPath(url));
    return this.page(ctx, { request: parsed.request, url, cookies, reply });
  }

  @Operation(submit)
  async submit(
    @Ctx() ctx: Context,
    @Input() { query, body }: InputOf<typeof submit>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx))
      throw new QuireError('NOT_AUTHENTICATED', 'Your session has expired; sign in again');
    if (!consentCsrfToken.verify(cookies, body.csrf))
      throw new QuireError('CSRF_REJECTED', 'This form has expired: go back and start again');
    const parsed = await parseAuthorizationRequest(ctx, query);
    if (parsed.kind === 'rejected') return redirectTo(reply, parsed.location);
    const { request } = parsed;
    try {
      return await redirectTo(reply, await submitConsent(ctx, this, { request, decision: body }));
    } catch (error) {
      if (!isAboutPasskey(error)) throw toConsentError(error, request);
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
    const consent = await getConsent(ctx, request);
    void reply.headers(consentHeaders(consent));
    const csrf = consentCsrfToken.issue(cookies);
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

async function redirectTo(reply: FastifyReply, location: string): Promise<undefined> {
  await reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'referrer-policy': 'no-referrer' })
    .redirect(location, 302);
  return undefined;
}
