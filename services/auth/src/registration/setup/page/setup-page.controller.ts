import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { assertCsrfToken, csrfToken, pageHeaders, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  LoginProviders,
  providerFieldName,
  providerPageHeaders,
  setupOptions,
  type LoginOption,
} from '../../../authentication/external-providers/index.js';
import { SignInMode } from '../../../authentication/sign-in-mode.js';
import { setupProblem } from '../../../authentication/sign-in-problems.js';
import {
  adminBody,
  getSetupStatus,
  startAdminSetup,
  setSetupCookie,
  setSetupLinkCookie,
  SetupAccess,
  setupLinkCookie,
  setUpSite,
  siteBody,
  SiteSeed,
  SiteSettings,
  type SetupStatus,
} from '../index.js';
import { accountStepPage, linkNeededPage, siteStepPage } from './setup-pages.js';

const show = declareOperation({
  ...pageOperation,
  id: 'showSetup',
  method: 'GET',
  path: pagePaths.setup,
  summary: 'Show the setup of a site without users',
  query: z.object({
    step: z.string().optional(),
    error: z.string().optional(),
    token: z.string().max(200).optional(),
  }),
  response: z.string(),
});

const saveSite = declareOperation({
  ...pageOperation,
  id: 'saveSiteOfSetup',
  method: 'POST',
  path: pagePaths.setup,
  summary: 'Submit the first step of the setup: title and tagline of the site',
  body: z.object({
    title: z.string().max(1_000).default(''),
    tagline: z.string().max(2_000).default(''),
    includeContent: z.string().optional(),
    csrf: z.string().max(200).optional(),
  }),
  bodyFormats: ['form'],
  response: z.string(),
});

const chooseProvider = declareOperation({
  ...pageOperation,
  id: 'chooseProviderInSetup',
  method: 'POST',
  path: pagePaths.setupAccount,
  summary: 'Create the first user with an account at a login provider',
  body: z
    .object({
      email: z.string().max(300).default(''),
      name: z.string().max(1_000).default(''),
      provider: z.string().max(100).default(''),
      csrf: z.string().max(200).optional(),
    })
    .catchall(z.string().max(8_000)),
  bodyFormats: ['form'],
  response: z.string(),
});

/** The setup of a site without users: its title, then the first user (spec document 1, Login methods 5). */
@Controller()
export class SetupPageController {
  constructor(
    readonly settings: SiteSettings,
    readonly seed: SiteSeed,
    readonly mode: SignInMode,
    readonly access: SetupAccess,
    private readonly providers: LoginProviders,
  ) {}

  @Operation(show)
  async showSetup(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const status = await getSetupStatus(ctx, this, query.token ?? setupLinkCookie(cookies));
    if (!status.needsSetup) return redirectTo(reply, this.pageAfterSetup());
    if (status.needsLink) {
      void reply.status(403).headers(pageHeaders());
      return linkNeededPage({ isWrong: query.token !== undefined });
    }
    if (query.token !== undefined) {
      // The redirect removes the secret from the address, which browsers store and show.
      setSetupLinkCookie(cookies, query.token);
      return redirectTo(reply, pagePaths.setup);
    }
    const isAccount = status.step === 'admin' && query.step !== 'site';
    if (isAccount) return this.accountStep(ctx, { cookies, reply }, { problem: setupProblem(query.error) });
    void reply.headers(pageHeaders());
    return siteStepPage({ csrf: csrfToken.issue(cookies), sample: sampleOf(status) });
  }

  @Operation(saveSite)
  async saveSiteOfSetup(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof saveSite>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    assertCsrfToken(cookies, body.csrf);
    const link = setupLinkCookie(cookies);
    const status = await getSetupStatus(ctx, this, link);
    if (!status.needsSetup) return redirectTo(reply, this.pageAfterSetup());
    const { title, tagline } = body;
    const names = siteBody.pick({ title: true, tagline: true }).safeParse({ title, tagline });
    if (!names.success) {
      void reply.status(400).headers(pageHeaders());
      const problem = 'Give the site a title of 1 to 200 characters, and a tagline of at most 500.';
      const csrf = csrfToken.issue(cookies);
      return siteStepPage({ csrf, problem, title, tagline, sample: sampleOf(status) });
    }
    const named = { title: names.data.title, tagline: names.data.tagline || null };
    await setUpSite(ctx, this, { ...named, link, includeContent: body.includeContent !== undefined });
    return redirectTo(reply, pagePaths.setup);
  }

  @Operation(chooseProvider)
  async chooseProviderInSetup(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof chooseProvider>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { csrf, provider, ...entered } = body;
    assertCsrfToken(cookies, csrf);
    const status = await getSetupStatus(ctx, this, setupLinkCookie(cookies));
    if (!status.needsSetup) return redirectTo(reply, this.pageAfterSetup());
    if (status.needsLink || status.step !== 'admin') return redirectTo(reply, pagePaths.setup);
    const offer = setupOptions(ctx, this.providers).find(({ id }) => id === provider);
    const problem = offer ? await this.storeDraft(ctx, cookies, entered) : setupProblem('invalid_provider');
    if (offer && problem === undefined) return redirectTo(reply, providerStartUrl(offer, entered));
    void reply.status(400);
    return this.accountStep(ctx, { cookies, reply }, { problem, entered });
  }

  /** Stores the entered account data until the browser returns from the provider. @returns an error message. */
  private async storeDraft(
    ctx: Context,
    cookies: Cookies,
    { email, name }: { email: string; name: string },
  ): Promise<string | undefined> {
    // Without an entered address, the first user gets the provider's.
    if (email.trim() === '') return undefined;
    const parsed = adminBody.safeParse({ email, name });
    if (!parsed.success) return 'Enter a name of at most 200 characters.';
    try {
      const link = setupLinkCookie(cookies);
      const nonce = await startAdminSetup(ctx, this.access, { email, name: parsed.data.name || null, link });
      setSetupCookie(cookies, nonce);
      return undefined;
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'VALIDATION_ERROR') throw error;
      return 'Enter your e-mail address.';
    }
  }

  /** Renders the second step and sets the headers of the response. */
  private accountStep(
    ctx: Context,
    { cookies, reply }: { cookies: Cookies; reply: FastifyReply },
    page: { problem: string | undefined; entered?: Readonly<Record<string, string>> },
  ): string {
    const offers = setupOptions(ctx, this.providers);
    void reply.headers(providerPageHeaders(ctx, offers));
    return accountStepPage({ ...page, csrf: csrfToken.issue(cookies), offers });
  }

  /** The page after the setup: the login page, unless an edge access proxy signs users in. */
  private pageAfterSetup(): string {
    return this.mode.isExternal ? pagePaths.home : pagePaths.login;
  }
}

/** The URL that starts a provider's login, with the value of the provider's field. */
function providerStartUrl(
  { id, href, field }: LoginOption,
  entered: Readonly<Record<string, string>>,
): string {
  if (!field) return href;
  const value = entered[providerFieldName(id, field.name)] ?? '';
  return `${href}?${new URLSearchParams({ [field.name]: value }).toString()}`;
}

/** The sample content of the seed; null for a seed without entries. */
function sampleOf(status: SetupStatus): { description: string } | null {
  return status.needsSetup && status.seedInfo?.hasContent ? status.seedInfo : null;
}
