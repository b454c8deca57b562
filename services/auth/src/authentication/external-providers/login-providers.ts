import type { Context } from '@quire/context';
import { apiPrefix } from '@quire/http-server';
import { LoginProviderError, type LoginProvider, type ProviderContext } from '@quire/login-providers';
import type { Logger } from '@quire/observability';
import { LoginError } from './login-error.js';
import { PostgresProviderStore } from './provider-store.js';

/** A provider that the site lists. */
export interface ListedProvider {
  provider: LoginProvider;
  /** What it reads from the environment; undefined when something of it is missing. */
  variables: Readonly<Record<string, string>> | undefined;
}

/** A provider that somebody can sign in with. */
export interface ReadyProvider {
  provider: LoginProvider;
  variables: Readonly<Record<string, string>>;
}

/** The login providers of an installation, and the way to call them. */
export class LoginProviders {
  constructor(
    private readonly listed: readonly ListedProvider[],
    /** Bounded in time and size: what is at the other end is not ours. */
    private readonly fetch: typeof globalThis.fetch,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Those that have what they need: buttons first, then forms, otherwise as listed (spec document 1, Login methods 4).
   */
  get offered(): LoginProvider[] {
    const ready = this.listed.filter(({ variables }) => variables).map(({ provider }) => provider);
    return [...ready.filter(({ form }) => !form), ...ready.filter(({ form }) => form)];
  }

  /** @throws LoginError invalid_provider, provider_not_configured. */
  ready(id: string): ReadyProvider {
    const found = this.listed.find(({ provider }) => provider.id === id);
    if (!found) throw new LoginError('invalid_provider', 'Unknown login provider');
    const { provider, variables } = found;
    if (!variables)
      throw new LoginError('provider_not_configured', `Signing in with ${provider.label} is not set up here`);
    return { provider, variables };
  }

  /**
   * Has a provider do something. What it throws becomes a refusal; the log learns the kind of failure and nothing that
   * was exchanged.
   * @throws LoginError
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
      this.logger.warn({ ...fields, reason: kindsOf(cause) }, 'login provider request failed');
      throw new LoginError(code, message, { cause: providerError });
    }
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

/** Names and codes of a failure and of what caused it: messages may quote what was sent. */
function kindsOf(failure: unknown): string[] {
  const kinds: string[] = [];
  let error = failure;
  while (error instanceof Error && kinds.length < maxCauseDepth) {
    const { code } = error as { code?: unknown };
    kinds.push(typeof code === 'string' ? `${error.name} ${code}` : error.name);
    error = error.cause;
  }
  return kinds;
}
