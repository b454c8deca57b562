import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { Query } from '@quire/login-providers';
import { pagePaths } from '@quire/ui';
import { auditFailedSignIn } from '../../../audit/index.js';
import type { SetupLink } from '../../../registration/setup/index.js';
import { tokenHash } from '../../api-tokens/index.js';
import type { ExternalLogin, ExternalLoginDeps } from '../external-login.js';
import type { LoginProviders, ReadyProvider } from '../login-providers.js';
import { LoginError } from '../login-error.js';
import { toExternalProfile } from '../external-profile.js';
import type { ProviderDeps } from '../provider-deps.js';
import { consumeLoginAttempt, type Attempt } from '../providers.repository.js';
import { signInExternalUser } from './sign-in-external-user.js';

/** Error codes for a login that the user or the server denied (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
const denials = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);

const maxAttempts = 3;

/** The callback request of a login. */
export interface ReturnedLogin {
  providerId: string;
  query: Query;
  /** Text of the login cookie. */
  browser: string | undefined;
  /** The setup link that the browser has opened. */
  setupLink: SetupLink;
  userAgent: string | undefined;
}

/**
 * Finishes a login with a provider (contract 29). Consumes the attempt, on success and failure.
 * @returns the text of the new session's cookie, and the path to redirect to.
 * @throws LoginError with the codes of contract 29.
 */
export function completeProviderLogin(
  ctx: Context,
  deps: ProviderDeps,
  login: ReturnedLogin,
): Promise<{ session: string; redirect: string }> {
  const { audit, limiter, defaultRoles, setup } = deps;
  const ready = deps.providers.ready(ctx, login.providerId);
  const method = `provider:${ready.provider.id}` as const;
  const reasonOf = (error: QuireError) => (error instanceof LoginError ? error.reason : error.code);
  return auditFailedSignIn(ctx, { audit, limiter, method, reasonOf }, (setSubject) =>
    completeExternalLogin(
      { ctx, audit, defaultRoles, setup, setSubject },
      { providers: deps.providers, ready },
      login,
    ),
  );
}

async function completeExternalLogin(
  deps: ExternalLoginDeps,
  { providers, ready }: { providers: LoginProviders; ready: ReadyProvider },
  { query, browser, setupLink, userAgent }: ReturnedLogin,
): Promise<{ session: string; redirect: string }> {
  const { ctx } = deps;
  const attempt = await resumeAttempt(ctx, ready, { query, browser });
  const { state = '' } = query;
  const profile = await providers.call(ctx, ready, async (context) =>
    toExternalProfile(await ready.provider.complete(context, { query, state, kept: attempt.kept })),
  );
  const externalLogin = { provider: ready.provider, profile, attempt, setupLink, userAgent };
  const session = await signInWithRetry(deps, externalLogin);
  return { session, redirect: attempt.redirect ?? pagePaths.home };
}

/** Consumes the attempt of a callback. @throws LoginError oauth_denied, oauth_error, invalid_callback, invalid_state */
async function resumeAttempt(
  ctx: Context,
  { provider }: ReadyProvider,
  { query, browser }: Pick<ReturnedLogin, 'query' | 'browser'>,
): Promise<Attempt> {
  const { state, error } = query;
  const key = {
    stateHash: tokenHash(state ?? ''),
    browserHash: tokenHash(browser ?? ''),
    provider: provider.id,
  };
  const attempt = await consumeLoginAttempt(ctx.db, key);
  if (error !== undefined) throw deniedByProvider(provider.label, error);
  if (state === undefined)
    throw new LoginError('invalid_callback', 'The provider returned an incomplete response');
  if (!attempt)
    throw new LoginError(
      'invalid_state',
      'This login attempt has expired or was started in another browser; try again',
    );
  return attempt;
}

function deniedByProvider(label: string, error: string): LoginError {
  return denials.has(error)
    ? new LoginError('oauth_denied', `${label} denied access`)
    : new LoginError('oauth_error', `Signing in with ${label} is currently unavailable`);
}

/**
 * Signs the external user in. When a concurrent login wins the race, retries and finds its result: first the user with
 * the same address, then the linked account.
 */
async function signInWithRetry(deps: ExternalLoginDeps, externalLogin: ExternalLogin): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await deps.ctx.db.transaction((tx) => signInExternalUser(tx, deps, externalLogin));
    } catch (error) {
      if (attempt === maxAttempts || !isRaceError(error)) throw error;
    }
  }
}

function isRaceError(error: unknown): boolean {
  if (error instanceof LoginError) return error.reason === 'invite_invalid';
  return error instanceof QuireError && ['CONFLICT', 'USER_EXISTS', 'ADMIN_EXISTS'].includes(error.code);
}
