import { randomBytes } from 'node:crypto';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { LoginStart, Query } from '@quire/login-providers';
import type { RateLimiter } from '@quire/rate-limit';
import { isLocalPath } from '@quire/http-server';
import { enforceRateLimit } from '../../../rate-limits/index.js';
import { lockInviteByHash } from '../../../registration/invites/index.js';
import { tokenHash } from '../../api-tokens/index.js';
import type { LoginProviders } from '../login-providers.js';
import { LoginError } from '../login-error.js';
import { insertLoginAttempt } from '../providers.repository.js';

const stateBytes = 32;
const maxKeptBytes = 16 * 1024;
/** Whoever begins leaves a row behind and has us ask a server that is not ours. */
const beginLimit = { name: 'provider-login', limit: 60, windowSeconds: 60 };

/** A browser that wants to sign in with a provider. */
export interface LoginRequest {
  providerId: string;
  query: Query;
  /** Text of the cookie that it comes back with. */
  browser: string;
  /** Text of the setup's cookie, when it is in the middle of that. */
  setupNonce: string | undefined;
}

/**
 * Begins a login with a provider (contract 29).
 * @returns where to send the browser.
 * @throws LoginError invalid_provider, provider_not_configured, invite_invalid, and what the provider throws;
 * QuireError RATE_LIMITED.
 */
export async function beginProviderLogin(
  ctx: Context,
  { providers, limiter }: { providers: LoginProviders; limiter: RateLimiter },
  request: LoginRequest,
): Promise<string> {
  const ready = providers.ready(request.providerId);
  await enforceRateLimit(ctx, limiter, beginLimit);
  const { invite, redirect, ...query } = request.query;
  const inviteHash = invite === undefined ? null : tokenHash(invite);
  if (inviteHash !== null) await assertInviteUsable(ctx, inviteHash);
  const state = randomBytes(stateBytes).toString('base64url');
  const { url, kept } = await providers.call(ctx, ready, async (context) =>
    checked(await ready.provider.begin(context, { query, state })),
  );
  const key = {
    stateHash: tokenHash(state),
    browserHash: tokenHash(request.browser),
    provider: ready.provider.id,
  };
  await insertLoginAttempt(ctx.db, key, {
    kept,
    inviteHash,
    setupHash: request.setupNonce === undefined ? null : tokenHash(request.setupNonce),
    redirect: redirect !== undefined && isLocalPath(redirect) ? redirect : null,
  });
  return url;
}

/** Nobody is sent away with an invitation that is worth nothing. @throws LoginError invite_invalid */
async function assertInviteUsable(ctx: Context, inviteHash: string): Promise<void> {
  try {
    await ctx.db.transaction((tx) => lockInviteByHash(tx, inviteHash));
  } catch (cause) {
    if (!(cause instanceof QuireError) || cause.status >= 500) throw cause;
    throw new LoginError('invite_invalid', cause.message, { cause });
  }
}

/** What a provider's `begin` returned. @throws Error for what nobody can be sent to, and for too much to keep. */
function checked({ url, kept = {} }: LoginStart): { url: string; kept: NonNullable<LoginStart['kept']> } {
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('begin: url must be a web address');
  if (Buffer.byteLength(JSON.stringify(kept)) > maxKeptBytes)
    throw new RangeError(`begin: kept has ${maxKeptBytes} bytes at most`);
  return { url: href, kept };
}
