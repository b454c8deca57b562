import type { Context } from '@quire/context';
import { apiPrefix } from '@quire/http-server';
import { LoginProviderError, type LoginProvider, type ProviderContext } from '@quire/login-providers';
import type { Logger } from '@quire/observability';
import { LoginError } from './login-error.js';
import { PostgresProviderStore } from './provider-store.js';

/** A provider that the site lists. */
export interface ListedProvider {
  provider: LoginProvider;
  /** Its environment variables; undefined when a required one is missing. */
  variables: Readonly<Record<string, string>> | undefined;
}

/** A configured provider. */
export interface ReadyProvider {
  provider: LoginProvider;
  variables: Readonly<Record<string, string>>;
}

/** The login providers of an installation. */
export class LoginProviders {
  constructor(
    private readonly listed: readonly ListedProvider[],
    /** Limits time and size, because the provider's servers are not trusted. */
    private readonly fetch: typeof globalThis.fetch,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * The configured providers of a site: buttons first, then forms, otherwise in listed order (spec document 1, Login
   * methods 4).
   */
  offered(ctx: Context): LoginProvider[] {
    const ready = this.listedOf(ctx)
      .filter(({ variables }) => variables)
      .map(({ provider }) => provider);
    return [...ready.filter(({ form }) => !form), ...ready.filter(({ form }) => form)];
  }

  /** @returns a configured provider of a site. @throws LoginError invalid_provider, provider_not_configured. */
  ready(ctx: Context, id: string): ReadyProvider {
    const found = this.listedOf(ctx).find(({ provider }) => provider.id === id);
    if (!found) throw new LoginError('invalid_provider', 'Unknown login provider');
    const { provider, variables } = found;
    if (!variables)
      throw new LoginError('provider_not_configured', `Signing in with ${provider.label} is not set up here`);
    return { provider, variables };
  }

  /**
   * Calls a provider. The log gets the kind of a failure, without exchanged data.
   * @throws LoginError with the code of the provider's LoginProviderError, or `oauth_error` for any other error.
   */
  async call<Result>(
    ctx: Context,
    { provider, variables }: ReadyProvider,
    work: (context: ProviderContext) => Promise<Result> | Result,
  ): Promise<Result> {
    try {
      return await work(this.contextOf(ctx, { provider, variables }));
    } catch (error) {
      const providerError =
        error instanceof LoginProviderError
          ? error
          : new LoginProviderError(
              'oauth_error',
              `Signing in with ${provider.label} is currently unavailable`,
              {
                cause: error,
              },
            );
      const { code, message, cause } = providerError;
      const fields = {
        requestId: ctx.requestId,
        tenant: ctx.principal.tenant.id,
        provider: provider.id,
        code,
      };
      this.logger.warn({ ...fields, reason: errorKinds(cause) }, 'login provider request failed');
      throw new LoginError(code, message, { cause: providerError });
    }
  }

  /** The providers that the settings of the site leave, in the order of the installation. */
  private listedOf({ principal }: Context): readonly ListedProvider[] {
    const ids = principal.tenant.settings?.signIn?.providers;
    return ids ? this.listed.filter(({ provider }) => ids.includes(provider.id)) : this.listed;
  }

  private contextOf(ctx: Context, { provider, variables }: ReadyProvider): ProviderContext {
    const origin = ctx.origin ?? '';
    const routesUrl = `${origin}${apiPrefix}/auth/oauth/${provider.id}`;
    return {
      origin,
      routesUrl,
      callbackUrl: `${routesUrl}/callback`,
      variables,
      storage: (collection) => {
        const options = provider.storage?.[collection];
        if (!options)
          throw new RangeError(`The provider ${provider.id} declares no collection ${collection}`);
        return new PostgresProviderStore(ctx.db, { provider: provider.id, collection }, options);
      },
      fetch: this.fetch,
    };
  }
}

const maxCauseDepth = 5;

/** @returns names and codes of an error and its causes, without their messages, which may contain sent data. */
function errorKinds(failure: unknown): string[] {
  const kinds: string[] = [];
  let error = failure;
  while (error instanceof Error && kinds.length < maxCauseDepth) {
    const { code } = error as { code?: unknown };
    kinds.push(typeof code === 'string' ? `${error.name} ${code}` : error.name);
    error = error.cause;
  }
  return kinds;
}
