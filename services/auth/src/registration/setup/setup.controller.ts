import { Controller, Headers } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SignInMode } from '../../authentication/sign-in-mode.js';
import { PasskeyDeps, signedInResponse } from '../../authentication/passkeys/index.js';
import { setSessionCookie } from '../../authentication/sessions/index.js';
import { SiteSeed, SiteSettings } from './content.client.js';
import { completeAdminSetup } from './operations/complete-admin-setup.js';
import { setUpSite } from './operations/set-up-site.js';
import { SetupAccess } from './setup-access.js';
import { clearSetupCookies, setSetupCookie, setupCookie, setupLinkCookie } from './setup-cookie.js';
import { getSetupStatus, startFirstAdmin } from './setup.operations.js';
import {
  adminBody,
  adminResponse,
  siteBody,
  siteResponse,
  statusResponse,
  verifyBody,
} from './setup.schemas.js';

const shared = { tag: 'Setup', access: 'public', scope: null, isDocumented: false } as const;

const status = declareOperation({
  ...shared,
  id: 'getSetupStatus',
  underEdgeAccess: 'public',
  method: 'GET',
  path: 'setup/status',
  summary: 'Get the status of the setup',
  response: statusResponse,
});

const site = declareOperation({
  ...shared,
  id: 'setUpSite',
  underEdgeAccess: 'protected',
  method: 'POST',
  path: 'setup',
  summary: 'Set title and tagline of a new site and create its default content',
  body: siteBody,
  response: siteResponse,
  errors: ['FORBIDDEN', 'ALREADY_CONFIGURED', 'SEED_ERROR'],
});

const start = declareOperation({
  ...shared,
  id: 'startFirstAdmin',
  method: 'POST',
  path: 'setup/admin',
  summary: 'Start the passkey registration of the first user',
  body: adminBody,
  response: adminResponse,
  errors: ['FORBIDDEN', 'SETUP_COMPLETE', 'ADMIN_EXISTS'],
});

const complete = declareOperation({
  ...shared,
  id: 'completeAdminSetup',
  method: 'POST',
  path: 'setup/admin/verify',
  summary: 'Create the first user and sign them in',
  body: verifyBody,
  response: signedInResponse,
  errors: [
    'FORBIDDEN',
    'SETUP_COMPLETE',
    'ADMIN_EXISTS',
    'INVALID_STATE',
    'CHALLENGE_EXPIRED',
    'CREDENTIAL_EXISTS',
  ],
});

/** The setup of a site without users (spec document 1, Login methods; contract 26). */
@Controller()
export class SetupController {
  constructor(
    private readonly deps: PasskeyDeps,
    readonly settings: SiteSettings,
    readonly seed: SiteSeed,
    readonly mode: SignInMode,
    readonly access: SetupAccess,
  ) {}

  @Operation(status)
  status(@Ctx() ctx: Context, @RequestCookies() cookies: Cookies) {
    return getSetupStatus(ctx, this, setupLinkCookie(cookies));
  }

  @Operation(site)
  async site(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof site>,
    @RequestCookies() cookies: Cookies,
  ) {
    const link = setupLinkCookie(cookies);
    const result = await setUpSite(ctx, this, { ...body, tagline: body.tagline || null, link });
    return { success: true, setupComplete: this.mode.isExternal, result };
  }

  @Operation(start)
  async start(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof start>,
    @RequestCookies() cookies: Cookies,
  ) {
    const { email, name } = body;
    const draft = { email, name: name || null, link: setupLinkCookie(cookies) };
    const { access, deps } = this;
    const { options, nonce } = await startFirstAdmin(ctx, { parties: deps.parties, access }, draft);
    setSetupCookie(cookies, nonce);
    return { success: true, options };
  }

  @Operation(complete)
  async complete(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof complete>,
    @RequestCookies() cookies: Cookies,
    @Headers('user-agent') userAgent: string | undefined,
  ) {
    const { parties, audit, limiter } = this.deps;
    const deps = { parties, audit, limiter, access: this.access };
    const bound = { nonce: setupCookie(cookies), link: setupLinkCookie(cookies) };
    const { user, session } = await completeAdminSetup(ctx, deps, { ...body, ...bound, userAgent });
    setSessionCookie(cookies, session);
    clearSetupCookies(cookies);
    return { success: true, user };
  }
}
