import type { Context } from '@quire/context';
import type { TransferDeps } from '../../../transfer-deps.js';
import { AccessTokenCipher } from '../access-token-cipher.js';
import { connectedSource, importPanelPath } from '../connection-paths.js';
import { ConnectionError } from '../connection-error.js';
import { userOf } from '../connections.operations.js';
import { consumeAuthorizationRequest, upsertConnection } from '../connections.repository.js';
import type { CallbackQuery } from '../connections.schemas.js';
import { exchangeCode, type CodeToExchange, type GrantedAccess, type OAuthClient } from '../exchange-code.js';
import { hashOfState } from './begin-authorization.js';

/** What the callback needs of the service. */
type AuthorizationDeps = Pick<TransferDeps, 'sources' | 'options' | 'logger'>;

/**
 * Completes an authorization request: exchanges the code for an access token, and stores it as a connection of the
 * user. The request is consumed, on success and failure.
 * @returns the path to redirect the browser to
 * @throws ConnectionError with the code of each failure
 */
export async function completeAuthorization(
  ctx: Context,
  deps: AuthorizationDeps,
  { state, code, error }: CallbackQuery,
): Promise<string> {
  const userId = userOf(ctx);
  const request =
    state === undefined
      ? undefined
      : await consumeAuthorizationRequest(ctx.db, { stateHash: hashOfState(state), userId });
  if (error !== undefined) throw errorOfProvider(error);
  if (state === undefined || code === undefined)
    throw new ConnectionError('invalid_callback', 'The hosted edition returned an incomplete response');
  if (!request)
    throw new ConnectionError(
      'invalid_state',
      'This connection has expired or was started by another user; start it again',
    );
  const client = clientOf(deps);
  const { accessToken, siteId, siteUrl } = await exchange(ctx, deps, client, { code, ...request });
  const owner = { userId, siteId: siteId ?? new URL(request.siteUrl).hostname };
  const connection = await upsertConnection(ctx.db, {
    ...owner,
    source: connectedSource,
    siteUrl: siteUrl ?? request.siteUrl,
    sealedAccessToken: new AccessTokenCipher(client.clientSecret, ctx.principal.tenant.id).seal(
      accessToken,
      owner,
    ),
  });
  return importPanelPath({ connection });
}

function errorOfProvider(error: string): ConnectionError {
  return error === 'access_denied'
    ? new ConnectionError('oauth_denied', 'Access to the site was denied')
    : new ConnectionError('oauth_error', 'The hosted edition reported an error; try again later');
}

function clientOf({ sources, options }: AuthorizationDeps): OAuthClient {
  const { clientId, clientSecret } = options.hostedApplication;
  if (!clientId || !clientSecret)
    throw new ConnectionError('not_configured', 'The connection to the hosted edition is not configured');
  return { fetch: sources.network.tokenFetch, clientId, clientSecret };
}

/** Exchanges the code, and logs a failure without the data of the request. */
async function exchange(
  ctx: Context,
  { logger }: AuthorizationDeps,
  client: OAuthClient,
  code: CodeToExchange,
): Promise<GrantedAccess> {
  try {
    return await exchangeCode(client, code);
  } catch (error) {
    const { requestId, principal } = ctx;
    logger.warn({ requestId, tenant: principal.tenant.id, err: error }, 'a site was not connected');
    throw error;
  }
}
