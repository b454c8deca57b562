import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { Cookies, Ctx, pageHeaders, RequestCookies } from '@quire/http-server';
import { CacheInvalidationBus } from '@quire/messages';
import { declareOperation, Input, type InputOf, Operation, rowId } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SignInMode } from '../../authentication/sign-in-mode.js';
import {
  passkeyName,
  PasskeyDeps,
  selectPasskeys,
  removePasskey,
  renamePasskey,
} from '../../authentication/passkeys/index.js';
import {
  clearSessionCookie,
  signOut,
  endOwnSession,
  listOwnSessions,
  getMe,
  signOutHeaders,
} from '../../authentication/sessions/index.js';
import { isSetUp, selectSetupProgress, SiteSettings } from '../../registration/setup/index.js';
import {
  csrfToken,
  isSignedIn,
  redirectTo,
  pageOperation,
  paths,
  assertCsrfToken,
  signInRedirect,
} from '../page-guards.js';
import { homePage } from './home-page.js';

const start = declareOperation({
  ...pageOperation,
  id: 'showStart',
  method: 'GET',
  path: '/_cms',
  summary: 'The way to the start page',
  response: z.undefined(),
});

const show = declareOperation({
  ...pageOperation,
  id: 'showHome',
  method: 'GET',
  path: paths.home,
  summary: 'The start page of somebody who is signed in',
  query: z.object({ done: z.string().optional() }),
  response: z.string(),
});

const csrf = z.string().max(200).optional();
const act = declareOperation({
  ...pageOperation,
  id: 'actOnHome',
  method: 'POST',
  path: paths.home,
  summary: 'What its buttons do',
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('sign-out'), csrf }),
    z.object({ action: z.literal('end-session'), csrf, id: rowId }),
    z.object({ action: z.literal('remove-passkey'), csrf, id: rowId }),
    z.object({ action: z.literal('rename-passkey'), csrf, id: rowId, name: passkeyName }),
  ]),
  bodyFormats: ['form'],
  response: z.string(),
});
type Action = InputOf<typeof act>['body'];

const notices: ReadonlyMap<string, string> = new Map([
  ['passkey-added', 'The passkey has been added.'],
  ['passkey-renamed', 'The passkey has its new name.'],
  ['passkey-removed', 'The passkey has been removed, and your other sessions have ended.'],
  ['session-ended', 'The session has ended.'],
]);

/** The start page, the first one of the admin panel. */
@Controller()
export class HomePageController {
  constructor(
    private readonly deps: PasskeyDeps,
    private readonly relay: CacheInvalidationBus,
    private readonly settings: SiteSettings,
    private readonly mode: SignInMode,
  ) {}

  @Operation(start)
  start(@Res({ passthrough: true }) reply: FastifyReply) {
    return redirectTo(reply, paths.home);
  }

  @Operation(show)
  async show(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) return redirectTo(reply, await signInRedirect(ctx, url));
    if (await this.needsTitle(ctx)) return redirectTo(reply, paths.setup);
    const notice = notices.get(query.done ?? '');
    return this.page(ctx, { cookies, reply }, notice === undefined ? {} : { notice });
  }

  @Operation(act)
  async act(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof act>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) return redirectTo(reply, await signInRedirect(ctx, paths.home));
    assertCsrfToken(cookies, body.csrf);
    try {
      const done = await this.performAction(ctx, body);
      if (body.action === 'sign-out') {
        clearSessionCookie(cookies);
        void reply.headers(signOutHeaders);
      }
      return redirectTo(reply, done === undefined ? paths.login : `${paths.home}?done=${done}`);
    } catch (error) {
      if (!(error instanceof QuireError) || error.status >= 500) throw error;
      void reply.status(error.status);
      return this.page(ctx, { cookies, reply }, { problem: `${error.message}.` });
    }
  }

  /** Behind a proxy the first user is there before the site has been named. */
  private async needsTitle(ctx: Context): Promise<boolean> {
    return this.mode.isExternal && !isSetUp(await selectSetupProgress(ctx.db), this.mode);
  }

  /** @returns which notice tells of it; undefined when nobody is signed in any more. */
  private async performAction(ctx: Context, action: Action): Promise<string | undefined> {
    const { relay, deps } = this;
    const { audit } = deps;
    // A proxy signs people in and out, and there are no passkeys.
    if (this.mode.isExternal && action.action !== 'end-session') throw notFound('action');
    switch (action.action) {
      case 'sign-out':
        await signOut(ctx, { relay, audit });
        return undefined;
      case 'end-session':
        await endOwnSession(ctx, { relay, audit }, action.id);
        return 'session-ended';
      case 'remove-passkey':
        await removePasskey(ctx, { relay, audit }, action.id);
        return 'passkey-removed';
      case 'rename-passkey':
        await renamePasskey(ctx, deps, action);
        return 'passkey-renamed';
    }
  }

  private async page(
    ctx: Context,
    { cookies, reply }: { cookies: Cookies; reply: FastifyReply },
    messages: { notice?: string; problem?: string },
  ): Promise<string> {
    const [me, passkeys, sessions, site] = await Promise.all([
      getMe(ctx),
      selectPasskeys(ctx.db, ctx.principal.userId),
      listOwnSessions(ctx),
      this.settings.title(ctx),
    ]);
    void reply.headers(pageHeaders({ runsScript: true }));
    const signsInHere = !this.mode.isExternal;
    return homePage({
      ...messages,
      csrf: csrfToken.issue(cookies),
      site,
      me,
      passkeys,
      sessions,
      signsInHere,
    });
  }
}
