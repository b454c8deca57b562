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
/** Each start inserts a row and may send requests to a server of the provider. */
const beginLimit = { name: 'provider-login', limit: 60, windowSeconds: 60 };

/** A browser's request to sign in with a provider. */
export interface LoginRequest {
  providerId: string;
  query: Query;
  /** Text of the login cookie, which the callback verifies. */
  browser: string;
  /** Text of the setup cookie, during the setup. */
  setupNonce: string | undefined;
}

/**
 * Begins a login with a provider (contract 29).
 * @returns the URL to redirect the browser to.
 * @throws LoginError invalid_provider, provider_not_configured, invite_invalid, and the errors of the provider;
 * QuireError RATE_LIMITED.
 */
export async function beginProviderLogin(
  ctx: Context,
  { providers, limiter }: { providers: LoginProviders; limiter: RateLimiter },
  request: LoginRequest,
): Promise<string> {
  const ready = providers.ready(ctx, request.providerId);
  await enforceRateLimit(ctx, limiter, beginLimit);
  const { invite, redirect, ...query } = request.query;
  const inviteHash = invite === undefined ? null : tokenHash(invite);
  if (inviteHash !== null) await assertInviteUsable(ctx, inviteHash);
  const state = randomBytes(stateBytes).toString('base64url');
  const { url, kept } = await providers.call(ctx, ready, async (context) =>
    validated(await ready.provider.begin(context, { query, state })),
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

/** Rejects an invalid invitation before the redirect to the provider. @throws LoginError invite_invalid */
async function assertInviteUsable(ctx: Context, inviteHash: string): Promise<void> {
  try {
    await ctx.db.transaction((tx) => lockInviteByHash(tx, inviteHash));
  } catch (cause) {
    if (!(cause instanceof QuireError) || cause.status >= 500) throw cause;
    throw new LoginError('invite_invalid', cause.message, { cause });
  }
}

/** Validates the result of a provider's `begin`. @throws TypeError for an invalid URL, RangeError for too much data. */
function validated({ url, kept = {} }: LoginStart): { url: string; kept: NonNullable<LoginStart['kept']> } {
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError('begin: url must be an http or https URL');
  if (Buffer.byteLength(JSON.stringify(kept)) > maxKeptBytes)
    throw new RangeError(`begin: kept must have at most ${maxKeptBytes} bytes`);
  return { url: href, kept };
}
