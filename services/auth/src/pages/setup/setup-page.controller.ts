import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, pageHeaders, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { getSetupStatus, setUpSite, siteBody, SiteSettings, type SetupStatus } from '../../setup/index.js';
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
    csrf: z.string().max(200).optional(),
  }),
  bodyFormats: ['form'],
  response: z.string(),
});

/** The setup of a site without users: its title, then the first user (spec document 1, Login methods 5). */
@Controller()
export class SetupPageController {
  constructor(private readonly settings: SiteSettings) {}

  @Operation(show)
  async show(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const status = await getSetupStatus(ctx);
    if (!status.needsSetup) return leadTo(reply, paths.login);
    const isAccount = status.step === 'admin' && query.step !== 'site';
    void reply.headers(pageHeaders({ runsScript: isAccount }));
    return isAccount
      ? accountStepPage({ offers: [] })
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
    const status = await getSetupStatus(ctx);
    if (!status.needsSetup) return leadTo(reply, paths.login);
    const { title, tagline } = body;
    const names = siteBody.pick({ title: true, tagline: true }).safeParse({ title, tagline });
    if (!names.success) {
      void reply.status(400).headers(pageHeaders());
      const problem = 'Give the site a title of 1 to 200 characters, and a tagline of 500 at most.';
      const csrf = formToken.give(cookies);
      return siteStepPage({ csrf, problem, title, tagline, sample: sampleOf(status) });
    }
    await setUpSite(ctx, this.settings, { title: names.data.title, tagline: names.data.tagline || null });
    return leadTo(reply, paths.setup);
  }
}

function sampleOf(status: SetupStatus): { description: string } | null {
  return status.needsSetup && status.seedInfo?.hasContent ? status.seedInfo : null;
}
