import { LoginProviders, type ListedProvider } from '@quire/auth-service';
import { providerVariables } from '@quire/config';
import { github, google, type LoginProvider } from '@quire/login-providers';
import { limitedFetch } from '@quire/outgoing-http';
import type { AppContainer } from '../app-container.js';

/** Limits of each request to a login provider, for which the login waits. */
const fetchLimits = { timeoutMs: 5_000, maxBytes: 1024 * 1024 };

/**
 * The login providers of an installation, with what they read from the environment; behind an edge access proxy, none.
 */
export function loginProvidersOf({ site, logger }: AppContainer): LoginProviders {
  const configured = site.authProviders?.map((provider) => withVariables(provider, logger));
  const listed = site.auth ? [] : (configured ?? builtIn());
  return new LoginProviders(listed, limitedFetch(fetchLimits), logger);
}

/** Where a site lists none, the built-in ones are offered that have credentials; nobody is warned of the others. */
function builtIn(): ListedProvider[] {
  return [google(), github()].map((provider) => ({ provider, variables: variablesOf(provider).values }));
}

function withVariables(provider: LoginProvider, logger: AppContainer['logger']): ListedProvider {
  const { values, missing } = variablesOf(provider);
  if (missing) logger.warn({ provider: provider.id, missing }, 'login provider disabled: set its variables');
  return { provider, variables: values };
}

function variablesOf({ id, environment = [] }: LoginProvider) {
  return providerVariables(id, environment);
}
