import { scopes } from '@quire/permissions';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import { deviceGrantType, issuerOf, resourceOf } from '../protocol.js';

const api = '/_cms/api';
const version = '0.1.0';
/** Client id of the command-line login; it needs no registration. */
const commandLineClientId = 'cms-cli';

/**
 * The metadata of the MCP endpoint as a protected resource (RFC 9728).
 * @param origin of the request's URL
 */
export function protectedResource(origin: string) {
  return {
    resource: resourceOf(origin),
    authorization_servers: [issuerOf(origin)],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
}

/**
 * The metadata of the authorization server (RFC 8414). When an access proxy signs users in, there is no consent page:
 * existing tokens can only be refreshed and revoked.
 * @param origin of the request's URL
 */
export function authorizationServer(origin: string, { isExternal }: SignInMode) {
  const authorizationEndpoints = {
    authorization_endpoint: `${origin}/_cms/oauth/authorize`,
    registration_endpoint: `${origin}${api}/oauth/register`,
    device_authorization_endpoint: `${origin}${api}/oauth/device/code`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  const grants = ['authorization_code', 'refresh_token', deviceGrantType];
  return {
    issuer: issuerOf(origin),
    ...(isExternal ? {} : authorizationEndpoints),
    token_endpoint: `${origin}${api}/oauth/token`,
    revocation_endpoint: `${origin}${api}/oauth/token/revoke`,
    scopes_supported: scopes,
    response_types_supported: isExternal ? [] : ['code'],
    grant_types_supported: isExternal ? ['refresh_token'] : grants,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}

/**
 * The sign-in methods for the command line (contract 34). Endpoints are paths of this site.
 * @param name of the site
 */
export function signInMethodsDocument(name: string, { type, isExternal }: SignInMode) {
  const flows = {
    device_flow: {
      client_id: commandLineClientId,
      device_authorization_endpoint: `${api}/oauth/device/code`,
      token_endpoint: `${api}/oauth/device/token`,
    },
    authorization_code: {
      authorization_endpoint: '/_cms/oauth/authorize',
      token_endpoint: `${api}/oauth/token`,
    },
  };
  return {
    instance: { name, version },
    auth: {
      ...(isExternal ? { mode: 'external', external_provider: type } : { mode: 'passkey' }),
      methods: { ...(isExternal ? {} : flows), api_tokens: true },
    },
  };
}
