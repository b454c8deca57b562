import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, pageHeaders, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { SignInMode } from '../../mode/index.js';
import { LoginProviders, setupOffers } from '../../providers/index.js';
import {
  getSetupStatus,
  setUpSite,
  siteBody,
  SiteSeed,
  SiteSettings,
  type SetupStatus,
} from '../../setup/index.js';
import { formToken, leadTo, pageOperation, paths, requireOwnForm } from '../entrance.js';
import { accountStepPage, siteStepPage } from './setup-pages.js';

const show = declareOperation({
  ...pageOperation,
  id: 'showSetup',
  method: 'GET',
  path: paths.setup,
  summary: 'The setup of a site without users',
  query: z.object({ step: z.string().optional() }),
  response: z.string(),
});

const saveSite = declareOperation({
  ...pageOperation,
  id: 'saveSiteOfSetup',
  method: 'POST',
  path: paths.setup,
  summary: 'Give the site its title, from the first step of the setup',
  body: z.object({
    title: z.string().max(1_000).default(''),
    tagline: z.string().max(2_000).default(''),
    includeContent: z.string().optional(),
    csrf: z.string().max(200).optional(),
  }),
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
    private readonly providers: LoginProviders,
  ) {}

  @Operation(show)
  async show(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const status = await getSetupStatus(ctx, this);
    if (!status.needsSetup) return leadTo(reply, this.afterwards());
    const isAccount = status.step === 'admin' && query.step !== 'site';
    void reply.headers(pageHeaders({ runsScript: isAccount }));
    return isAccount
      ? accountStepPage({ offers: setupOffers(this.providers) })
      : siteStepPage({ csrf: formToken.give(cookies), sample: sampleOf(status) });
  }

  @Operation(saveSite)
  async saveSite(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof saveSite>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireOwnForm(cookies, body.csrf);
    const status = await getSetupStatus(ctx, this);
    if (!status.needsSetup) return leadTo(reply, this.afterwards());
    const { title, tagline } = body;
    const names = siteBody.pick({ title: true, tagline: true }).safeParse({ title, tagline });
    if (!names.success) {
      void reply.status(400).headers(pageHeaders());
      const problem = 'Give the site a title of 1 to 200 characters, and a tagline of 500 at most.';
      const csrf = formToken.give(cookies);
      return siteStepPage({ csrf, problem, title, tagline, sample: sampleOf(status) });
    }
    const named = { title: names.data.title, tagline: names.data.tagline || null };
    await setUpSite(ctx, this, { ...named, includeContent: body.includeContent !== undefined });
    return leadTo(reply, paths.setup);
  }

  /** Where a site is that has been set up; a proxy takes the place of the login. */
  private afterwards(): string {
    return this.mode.isExternal ? paths.home : paths.login;
  }
}

function sampleOf(status: SetupStatus): { description: string } | null {
  return status.needsSetup && status.seedInfo?.hasContent ? status.seedInfo : null;
}
