import { Controller, Headers, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, isLocalPath, RequestCookies, toLocationHeader } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { pageHeaders, pagePaths } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { LinkOrigins, linkToken, missingToken } from '../../mail/links/index.js';
import { MailQueue } from '../../mail/index.js';
import { PasskeyDeps } from '../passkeys/index.js';
import { setSessionCookie } from '../sessions/index.js';
import { confirmationPage } from './confirmation-page.js';
import { setLinkRedirectCookie, linkRedirect, confirmationCsrfToken } from './link-cookies.js';
import { mapMagicLinkError } from './magic-link-error.js';
import { sendMagicLink, verifyMagicLink } from './magic-links.operations.js';

const shared = { tag: 'Authentication', access: 'public', scope: null, isDocumented: false } as const;
/** Forms of other sites cannot send this content type. */
const json = /^\s*application\/json\s*(?:;|$)/i;
const redirect = z.string().max(8_000).optional();
const page = {
  ...shared,
  path: 'auth/magic-link/verify',
  csrf: 'form',
  envelope: false,
  mapError: mapMagicLinkError,
} as const;

const send = declareOperation({
  ...shared,
  id: 'sendMagicLink',
  method: 'POST',
  path: 'auth/magic-link/send',
  availableDuringImport: true,
  summary: 'Send a sign-in link by e-mail',
  body: z.object({ email: z.string().max(300) }),
  response: z.object({ success: z.literal(true), message: z.string() }),
  errors: ['FORBIDDEN', 'EMAIL_NOT_CONFIGURED'],
});

const confirm = declareOperation({
  ...page,
  id: 'confirmMagicLink',
  method: 'GET',
  summary: 'Show the confirmation page of a sign-in link',
  query: z.object({ token: linkToken.optional(), redirect }),
  response: z.string(),
});

const verify = declareOperation({
  ...page,
  id: 'verifyMagicLink',
  method: 'POST',
  availableDuringImport: true,
  summary: 'Sign in with a link',
  body: z.object({ token: linkToken.optional(), redirect, csrf: z.string().max(200).optional() }),
  bodyFormats: ['json', 'form'],
  response: z.undefined(),
});

/** Sign-in with a mailed link (contract 28). */
@Controller()
export class MagicLinksController {
  constructor(
    private readonly mails: MailQueue,
    private readonly origins: LinkOrigins,
    private readonly deps: PasskeyDeps,
  ) {}

  @Operation(send)
  async send(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof send>) {
    const { mails, origins } = this;
    await sendMagicLink(ctx, { mails, origins, limiter: this.deps.limiter }, body.email);
    return { success: true, message: 'If there is an account with this address, a link is on its way to it' };
  }

  @Operation(confirm)
  confirmMagicLink(
    @Input() { query }: InputOf<typeof confirm>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { token, redirect } = query;
    if (!token) throw missingToken();
    void reply.headers(pageHeaders());
    return confirmationPage({
      token,
      redirect: redirect ?? linkRedirect(cookies),
      csrf: confirmationCsrfToken.issue(cookies),
    });
  }

  @Operation(verify)
  async verify(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof verify>,
    @RequestCookies() cookies: Cookies,
    @Headers() headers: Record<string, string | undefined>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    // Browsers block JSON from other sites, but not forms: these need the token of the confirmation page.
    if (!json.test(headers['content-type'] ?? '') && !confirmationCsrfToken.verify(cookies, body.csrf))
      throw new QuireError('CSRF_REJECTED', 'Follow the link again');
    const link = { token: body.token, userAgent: headers['user-agent'] };
    const session = await verifyMagicLink(ctx, this.deps, link);
    setSessionCookie(cookies, session);
    confirmationCsrfToken.clear(cookies);
    setLinkRedirectCookie(cookies, undefined);
    const { redirect } = body;
    const next = redirect !== undefined && isLocalPath(redirect) ? redirect : pagePaths.home;
    await reply.redirect(toLocationHeader(next), 303);
  }
}
