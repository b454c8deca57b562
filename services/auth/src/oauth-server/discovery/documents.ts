import { scopes } from '@quire/permissions';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import { deviceGrantType } from '../protocol.js';

const api = '/_cms/api';
const version = '0.1.0';
/** The client id that the command-line login names; it needs no registration. */
const commandLineClient = 'cms-cli';

/**
 * What a client that was turned away learns of the tools' endpoint (RFC 9728).
 * @param origin where the client reached us
 */
export function protectedResource(origin: string) {
  return {
    resource: `${origin}${api}/mcp`,
    authorization_servers: [`${origin}/_cms`],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
}

/**
 * Where and how a client asks for access (RFC 8414). Where a proxy signs people in nobody can be asked here: tokens of
 * earlier days are refreshed and revoked, and that is all.
 */
export function authorizationServer(origin: string, { isExternal }: SignInMode) {
  const asking = {
    authorization_endpoint: `${origin}/_cms/oauth/authorize`,
    registration_endpoint: `${origin}${api}/oauth/register`,
    device_authorization_endpoint: `${origin}${api}/oauth/device/code`,
    code_challenge_methods_supported: ['S256'],
  };
  const grants = ['authorization_code', 'refresh_token', deviceGrantType];
  return {
    issuer: `${origin}/_cms`,
    ...(isExternal ? {} : asking),
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
 * How one signs in here, for the command line (contract 34). Addresses are paths of this site.
 * @param name of the site
 */
export function signInMethodsDocument(name: string, { type, isExternal }: SignInMode) {
  const flows = {
    device_flow: {
      client_id: commandLineClient,
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
