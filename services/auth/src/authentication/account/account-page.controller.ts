import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { CacheInvalidationBus } from '@quire/jobs';
import { declareOperation, Input, type InputOf, Operation, rowId } from '@quire/operation';
import { assertCsrfToken, csrfToken, pageHeaders, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isSetUp, selectSetupProgress, SiteSettings } from '../../registration/setup/index.js';
import { signInRedirect } from '../login/index.js';
import { passkeyName, PasskeyDeps, selectPasskeys, removePasskey, renamePasskey } from '../passkeys/index.js';
import {
  clearSessionCookie,
  signOut,
  endOwnSession,
  isSignedIn,
  listOwnSessions,
  getMe,
  signOutHeaders,
} from '../sessions/index.js';
import { SignInMode } from '../sign-in-mode.js';
import { accountPage } from './account-page.js';

const show = declareOperation({
  ...pageOperation,
  id: 'showHome',
  method: 'GET',
  path: pagePaths.home,
  summary: 'Show the start page of a signed-in user',
  query: z.object({ done: z.string().optional() }),
  response: z.string(),
});

const csrf = z.string().max(200).optional();
const act = declareOperation({
  ...pageOperation,
  id: 'actOnHome',
  method: 'POST',
  path: pagePaths.home,
  availableDuringImport: true,
  summary: 'Sign out, end a session, or rename or remove a passkey',
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
  ['passkey-renamed', 'The passkey has been renamed.'],
  ['passkey-removed', 'The passkey has been removed, and your other sessions have ended.'],
  ['session-ended', 'The session has ended.'],
]);

/** The start page of signed-in users: their account, passkeys and sessions (contract 4). */
@Controller()
export class AccountPageController {
  constructor(
    private readonly deps: PasskeyDeps,
    private readonly relay: CacheInvalidationBus,
    private readonly settings: SiteSettings,
    private readonly mode: SignInMode,
  ) {}

  @Operation(show)
  async showHome(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) return redirectTo(reply, await signInRedirect(ctx, url));
    if (await this.needsTitle(ctx)) return redirectTo(reply, pagePaths.setup);
    const notice = notices.get(query.done ?? '');
    return this.page(ctx, { cookies, reply }, notice === undefined ? {} : { notice });
  }

  @Operation(act)
  async actOnHome(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof act>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) return redirectTo(reply, await signInRedirect(ctx, pagePaths.home));
    assertCsrfToken(cookies, body.csrf);
    try {
      const done = await this.performAction(ctx, body);
      if (body.action === 'sign-out') {
        clearSessionCookie(cookies);
        void reply.headers(signOutHeaders);
      }
      return redirectTo(reply, done === undefined ? pagePaths.login : `${pagePaths.home}?done=${done}`);
    } catch (error) {
      if (!(error instanceof QuireError) || error.status >= 500) throw error;
      void reply.status(error.status);
      return this.page(ctx, { cookies, reply }, { problem: `${error.message}.` });
    }
  }

  /** Whether the setup is unfinished: behind an edge access proxy the first user exists before the site has a title. */
  private async needsTitle(ctx: Context): Promise<boolean> {
    return this.mode.isExternal && !isSetUp(await selectSetupProgress(ctx.db), this.mode);
  }

  /** @returns the code of the notice; undefined after a sign-out. */
  private async performAction(ctx: Context, action: Action): Promise<string | undefined> {
    const { relay, deps } = this;
    const { audit } = deps;
    // An edge access proxy signs users in and out; there are no passkeys.
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
    return accountPage({
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
