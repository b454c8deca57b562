import { LoginProviders, type ListedProvider } from '@quire/auth-service';
import { providerVariables } from '@quire/config';
import { boundedFetch, github, google, type LoginProvider } from '@quire/login-providers';
import type { Installation } from '../installation.js';

/** What a login waits for at most, for each request to a provider. */
const fetchBounds = { milliseconds: 5_000, bytes: 1024 * 1024 };

/** The login providers of an installation, with what they read from the environment; behind an edge access proxy, none. */
export function loginProvidersOf({ site, logger }: Installation): LoginProviders {
  const configured = site.authProviders?.map((provider) => withVariables(provider, logger));
  const listed = site.auth ? [] : (configured ?? builtIn());
  return new LoginProviders(listed, boundedFetch(fetchBounds), logger);
}

/** Where a site lists none, the built-in ones are offered that have credentials; nobody is warned of the others. */
function builtIn(): ListedProvider[] {
  return [google(), github()].map((provider) => ({ provider, variables: variablesOf(provider).values }));
}

function withVariables(provider: LoginProvider, logger: Installation['logger']): ListedProvider {
  const { values, missing } = variablesOf(provider);
  if (missing)
    logger.warn({ provider: provider.id, missing }, 'a login provider is not offered: set its variables');
  return { provider, variables: values };
}

function variablesOf({ id, environment = [] }: LoginProvider) {
  return providerVariables(id, environment);
}
