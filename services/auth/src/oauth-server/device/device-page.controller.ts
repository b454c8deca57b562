import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError, type ErrorCode } from '@quire/errors';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, storableText, type InputOf } from '@quire/operation';
import { assertCsrfToken, csrfToken, pageHeaders, pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { signInRedirect } from '../../authentication/login/index.js';
import { PasskeyDeps } from '../../authentication/passkeys/index.js';
import { getMe, isSignedIn } from '../../authentication/sessions/index.js';
import { OAuthDeps } from '../oauth-deps.js';
import { signedCredential } from '../authorize/authorize.schemas.js';
import { deviceCodePage, deviceDecidedPage, deviceDecisionPage } from './device-pages.js';
import { decideOAuthDevice } from './operations/decide-oauth-device.js';
import { getDeviceRequest } from './device.operations.js';

const userCode = storableText(z.string().max(100)).default('');

const show = declareOperation({
  ...pageOperation,
  id: 'showDevice',
  method: 'GET',
  path: pagePaths.device,
  summary: 'Show the page for a user code',
  query: z.object({ user_code: userCode }),
  response: z.string(),
});

const send = declareOperation({
  ...pageOperation,
  id: 'sendDeviceForm',
  method: 'POST',
  path: pagePaths.device,
  availableDuringImport: true,
  summary: 'Look up a user code, or decide on its device',
  body: z.object({
    user_code: userCode,
    action: z.enum(['ask', 'approve', 'deny']).default('ask'),
    csrf: z.string().max(200).optional(),
    credential: signedCredential,
  }),
  bodyFormats: ['form'],
  response: z.string(),
});

/** Errors that the user resolves with another code. */
const codeProblems: Partial<Record<ErrorCode, string>> = {
  INVALID_CODE: 'There is no such code, or it was used. Look at your device and enter the code again.',
  EXPIRED_CODE: 'This code is too old. Start again on your device.',
  INSUFFICIENT_ROLE: 'Your role allows nothing that the device requests.',
};
/** Errors that the user resolves with another attempt on the same page. */
const proofProblems: Partial<Record<ErrorCode, string>> = {
  REAUTHENTICATION_REQUIRED: 'This needs your passkey or, without a passkey, a new sign-in.',
  UNAUTHORIZED: 'Passkey authentication failed. Try again.',
};

/** The pages of the device flow (contract 32). */
@Controller()
export class DevicePageController {
  constructor(
    readonly oauth: OAuthDeps,
    readonly passkeys: PasskeyDeps,
  ) {}

  @Operation(show)
  async showDevice(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof show>,
    @RequestCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isSignedIn(ctx)) return redirectTo(reply, await signInRedirect(ctx, url));
    void reply.headers(pageHeaders());
    return deviceCodePage({ csrf: csrfToken.issue(cookies), code: query.user_code });
  }

  @Operation(send)
  async sendDeviceForm(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof send>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { user_code: code, action } = body;
    if (!isSignedIn(ctx))
      return redirectTo(
        reply,
        await signInRedirect(ctx, `${pagePaths.device}?user_code=${encodeURIComponent(code)}`),
      );
    assertCsrfToken(cookies, body.csrf);
    void reply.headers(pageHeaders());
    const csrf = csrfToken.issue(cookies);
    const { credential } = body;
    try {
      if (action === 'ask') return await this.decisionPage(ctx, { csrf, code, reply });
      return deviceDecidedPage(await decideOAuthDevice(ctx, this, { userCode: code, action, credential }));
    } catch (error) {
      if (!(error instanceof QuireError)) throw error;
      const problem = proofProblems[error.code];
      void reply.status(error.status);
      if (problem !== undefined) return this.decisionPage(ctx, { csrf, code, reply, problem });
      const codeProblem = codeProblems[error.code];
      if (codeProblem === undefined) throw error;
      return deviceCodePage({ csrf, code, problem: codeProblem });
    }
  }

  private async decisionPage(
    ctx: Context,
    { csrf, code, reply, problem }: { csrf: string; code: string; reply: FastifyReply; problem?: string },
  ): Promise<string> {
    const [device, { email }] = [await getDeviceRequest(ctx, code), await getMe(ctx)];
    void reply.headers(pageHeaders({ runsScript: device.proof === 'passkey' }));
    return deviceDecisionPage({ csrf, user: email, device, ...(problem === undefined ? {} : { problem }) });
  }
}
