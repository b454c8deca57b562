import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { Query } from '@quire/login-providers';
import { tellingRefusals } from '../../audit/index.js';
import type { SetupLink } from '../../setup/index.js';
import { tokenHash } from '../../tokens/index.js';
import type { Arrival, ArrivalServices } from '../arrival.js';
import type { LoginProviders, ReadyProvider } from '../login-providers.js';
import { LoginRefused } from '../login-refused.js';
import { personOf } from '../person.js';
import type { ProviderServices } from '../provider-services.js';
import { takeAttempt, type Attempt } from '../providers.repository.js';
import { admitPerson } from './admit-person.js';

const home = '/_cms/admin';
/** Answers of a server that mean: the person did not want to, or was not let (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
const denials = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);

const mostAttempts = 3;

/** A browser that comes back from a provider. */
export interface ReturnedLogin {
  providerId: string;
  query: Query;
  /** Text of the cookie that it got when it left. */
  browser: string | undefined;
  /** What it brings that opened the setup link. */
  setupLink: SetupLink;
  userAgent: string | undefined;
}

/**
 * Finishes a login with a provider (contract 29). The attempt is used up whatever comes of it.
 * @returns the text of the new session's cookie, and where to go.
 * @throws LoginRefused with the codes of contract 29.
 */
export function completeLogin(
  ctx: Context,
  services: ProviderServices,
  login: ReturnedLogin,
): Promise<{ session: string; redirect: string }> {
  const { audit, limiter, defaultRoles, setup } = services;
  const ready = services.providers.ready(login.providerId);
  const method = `provider:${ready.provider.id}` as const;
  const reasonOf = (refusal: QuireError) => (refusal instanceof LoginRefused ? refusal.reason : refusal.code);
  return tellingRefusals(ctx, { audit, limiter, method, reasonOf }, (isAbout) =>
    letIn({ ctx, audit, defaultRoles, setup, isAbout }, { providers: services.providers, ready }, login),
  );
}

async function letIn(
  services: ArrivalServices,
  { providers, ready }: { providers: LoginProviders; ready: ReadyProvider },
  { query, browser, setupLink, userAgent }: ReturnedLogin,
): Promise<{ session: string; redirect: string }> {
  const { ctx } = services;
  const attempt = await attemptOf(ctx, ready, { query, browser });
  const { state = '' } = query;
  const person = await providers.call(ctx, ready, async (context) =>
    personOf(await ready.provider.complete(context, { query, state, kept: attempt.kept })),
  );
  const arrival = { provider: ready.provider, person, attempt, setupLink, userAgent };
  const session = await admitted(services, arrival);
  return { session, redirect: attempt.redirect ?? home };
}

/** Uses the attempt up that a browser comes back from. @throws LoginRefused */
async function attemptOf(
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
  const attempt = await takeAttempt(ctx.db, key);
  if (error !== undefined) throw notLetIn(provider.label, error);
  if (state === undefined) throw new LoginRefused('invalid_callback', 'The login came back incomplete');
  if (!attempt)
    throw new LoginRefused('invalid_state', 'This login is over, or was begun in another browser; try again');
  return attempt;
}

function notLetIn(label: string, error: string): LoginRefused {
  return denials.has(error)
    ? new LoginRefused('oauth_denied', `${label} did not let you in`)
    : new LoginRefused('oauth_error', `Signing in with ${label} does not work now`);
}

/**
 * Lets somebody in. Whoever is overtaken by another browser looks again and finds what that one has made: first a user of
 * the same address, then the account linked.
 */
async function admitted(services: ArrivalServices, arrival: Arrival): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await services.ctx.db.transaction((tx) => admitPerson(tx, services, arrival));
    } catch (error) {
      if (attempt === mostAttempts || !wasOvertaken(error)) throw error;
    }
  }
}

function wasOvertaken(error: unknown): boolean {
  if (error instanceof LoginRefused) return error.reason === 'invite_invalid';
  return error instanceof QuireError && ['CONFLICT', 'USER_EXISTS', 'ADMIN_EXISTS'].includes(error.code);
}
