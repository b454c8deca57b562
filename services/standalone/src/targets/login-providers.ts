import { LoginProviders, type ListedProvider } from '@quire/auth-service';
import { providerVariables, type SiteConfig } from '@quire/config';
import { github, google, type LoginProvider } from '@quire/login-providers';
import { limitedFetch } from '@quire/outgoing-http';
import type { AppContainer } from '../app-container.js';

/** Limits of each request to a login provider, for which the login waits. */
const fetchLimits = { timeoutMs: 5_000, maxBytes: 1024 * 1024 };

/**
 * The login providers of an installation, with their environment variables. Behind an edge access proxy there are none.
 */
export function loginProvidersOf({ site, logger }: AppContainer): LoginProviders {
  const configured = site.authProviders?.map((provider) => withVariables(provider, logger));
  const listed = site.auth ? [] : (configured ?? builtIn());
  return new LoginProviders(listed, limitedFetch(fetchLimits), logger);
}

/** Ids of the login providers of an installation, whether their variables are set or not. */
export function listedProviderIds({ authProviders, auth }: SiteConfig): string[] {
  return auth ? [] : (authProviders ?? builtInProviders()).map(({ id }) => id);
}

const builtInProviders = () => [google(), github()];

/** The providers of a site without a list: built-in ones with credentials. The others are skipped without a warning. */
function builtIn(): ListedProvider[] {
  return builtInProviders().map((provider) => ({ provider, variables: variablesOf(provider).values }));
}

function withVariables(provider: LoginProvider, logger: AppContainer['logger']): ListedProvider {
  const { values, missing } = variablesOf(provider);
  if (missing) logger.warn({ provider: provider.id, missing }, 'login provider disabled: set its variables');
  return { provider, variables: values };
}

function variablesOf({ id, environment = [] }: LoginProvider) {
  return providerVariables(id, environment);
}
