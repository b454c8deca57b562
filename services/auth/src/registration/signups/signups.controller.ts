import { Controller, Headers } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { accountByLink } from '../index.js';
import { DefaultRolePolicy } from '../../users/allowed-domains/index.js';
import { LinkOrigins, mapLinkError } from '../../mail/links/index.js';
import { MailQueue } from '../../mail/index.js';
import { PasskeyDeps } from '../../authentication/passkeys/index.js';
import { setSessionCookie } from '../../authentication/sessions/index.js';
import { completeSignup, getSignup, requestSignup, startSignupPasskey } from './signups.operations.js';

const shared = { tag: 'Authentication', access: 'public', scope: null, isDocumented: false } as const;
const byLink = { ...shared, mapError: mapLinkError } as const;
const linkErrors = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_EXISTS', 'DOMAIN_NOT_ALLOWED'] as const;

const request = declareOperation({
  ...shared,
  id: 'requestSignup',
  method: 'POST',
  path: 'auth/signup/request',
  summary: 'Request a signup link',
  body: z.object({ email: z.string().max(300) }),
  response: z.object({ success: z.literal(true), message: z.string() }),
  errors: ['DOMAIN_NOT_ALLOWED', 'EMAIL_NOT_CONFIGURED'],
});

const get = declareOperation({
  ...byLink,
  id: 'getSignup',
  method: 'GET',
  path: 'auth/signup/verify',
  summary: 'Get a signup by its link',
  ...accountByLink.read,
  errors: ['MISSING_PARAM', ...linkErrors],
});

const start = declareOperation({
  ...byLink,
  id: 'startSignupPasskey',
  method: 'POST',
  path: 'auth/signup/register-options',
  summary: 'Start the passkey registration of a new user',
  ...accountByLink.start,
  errors: [...linkErrors],
});

const complete = declareOperation({
  ...byLink,
  id: 'completeSignup',
  method: 'POST',
  path: 'auth/signup/complete',
  summary: 'Create the account of a new user and sign them in',
  ...accountByLink.complete,
  errors: [...linkErrors, 'CHALLENGE_EXPIRED', 'CREDENTIAL_EXISTS'],
});

/** Signups of users of allowed domains (contract 28). */
@Controller()
export class SignupsController {
  constructor(
    private readonly mails: MailQueue,
    private readonly origins: LinkOrigins,
    private readonly deps: PasskeyDeps,
    private readonly defaultRoles: DefaultRolePolicy,
  ) {}

  @Operation(request)
  async request(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof request>) {
    const { mails, origins } = this;
    await requestSignup(ctx, { mails, origins, limiter: this.deps.limiter }, body.email);
    return { success: true, message: 'If this address may have an account, a link is on its way to it' };
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof get>) {
    return { success: true, ...(await getSignup(ctx, this.defaultRoles, query.token)) };
  }

  @Operation(start)
  async start(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof start>) {
    const { defaultRoles } = this;
    const { parties } = this.deps;
    return { options: await startSignupPasskey(ctx, { parties, defaultRoles }, body) };
  }

  @Operation(complete)
  async complete(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof complete>,
    @RequestCookies() cookies: Cookies,
    @Headers('user-agent') userAgent: string | undefined,
  ) {
    const { defaultRoles } = this;
    const { parties, audit, limiter } = this.deps;
    const deps = { parties, audit, limiter, defaultRoles };
    const { user, session } = await completeSignup(ctx, deps, { ...body, userAgent });
    setSessionCookie(cookies, session);
    return { success: true, user };
  }
}
