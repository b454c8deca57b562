import {
  type AllowedAccounts,
  createAtproto,
  type LoginProvider,
  type LoginStart,
  type ProviderContext,
  type ProviderIdentity,
  type Query,
} from '@quire/login-providers';
import type { FakeAtproto } from './fake-atproto.js';
import { completeLogin } from './complete-login.js';

const routesUrl = 'https://site.test/_cms/api/auth/oauth/atproto';
const state = 'the-state-of-this-login';

function unplanned(): never {
  throw new Error('a login goes out by its own network and stores nothing');
}

/** The site of the logins, in the form of a provider's context. */
export const atprotoSite: ProviderContext = {
  origin: 'https://site.test',
  callbackUrl: `${routesUrl}/callback`,
  routesUrl,
  variables: {},
  storage: unplanned,
  fetch: unplanned,
};

/** A login in its three steps, without a service. */
export interface AtprotoLogin {
  provider: LoginProvider;
  begin(typed: string): Promise<LoginStart>;
  /** The browser's part of the login. @returns the query of the callback. */
  authorize(start: LoginStart): Promise<Query>;
  complete(start: LoginStart, query: Query): Promise<ProviderIdentity>;
  signIn(typed: string): Promise<ProviderIdentity>;
}

export interface AtprotoLoginOptions {
  allowed?: AllowedAccounts;
  limits?: { timeoutMs?: number; maxBytes?: number };
}

/** Opens the login of `atprotoSite` on a fake network. */
export function openAtprotoLogin(
  fake: FakeAtproto,
  { allowed, limits }: AtprotoLoginOptions = {},
): AtprotoLogin {
  const provider = createAtproto(fake.network(limits), allowed);
  const login: AtprotoLogin = {
    provider,
    begin: (typed) => provider.begin(atprotoSite, { query: { handle: typed }, state }),
    async authorize({ url }) {
      const back = await completeLogin(fake.network(), url, atprotoSite.callbackUrl);
      return Object.fromEntries(back.searchParams);
    },
    complete: (start, query) => provider.complete(atprotoSite, { query, state, kept: stored(start) }),
    async signIn(typed) {
      const start = await login.begin(typed);
      return login.complete(start, await login.authorize(start));
    },
  };
  return login;
}

/** State in the form in which the database returns it: as JSON. */
function stored({ kept = {} }: LoginStart): NonNullable<LoginStart['kept']> {
  return JSON.parse(JSON.stringify(kept)) as typeof kept;
}
