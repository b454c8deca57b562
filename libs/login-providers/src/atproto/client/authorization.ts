import { webcrypto } from 'node:crypto';
import * as oauth from 'openid-client';
import { z } from 'zod';
import type { Network } from '../network/network.js';
import { assertProtocolServer } from '../server/authorization-server.js';
import { scope, type SiteClient } from './site-client.js';

type DPoPKeys = Parameters<typeof oauth.getDPoPHandle>[1];

const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' };

const privateKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

/** The state of a login between its request and its callback. */
export const pendingSchema = z.object({
  issuer: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  /** The key that binds PAR, code and token (DPoP). It is valid for one login. */
  key: privateKeySchema,
});
export type Pending = z.output<typeof pendingSchema>;

/** The protocol returns the account and the granted scope with the tokens. */
const grantSchema = z.object({
  sub: z.string(),
  scope: z.string().refine((granted) => granted.split(' ').includes(scope)),
});

export interface AuthorizationRequest {
  issuer: string;
  client: SiteClient;
  state: string;
  /** The account for the server's form: a handle or a DID. */
  loginHint: string;
}

/**
 * Pushes the request to the authorization server (PAR, with PKCE and DPoP).
 * @returns the address for the browser, and the state for `redeemCode`
 * @throws when the server does not follow the protocol, or rejects the request
 */
export async function pushRequest(
  network: Network,
  { issuer, client, state, loginHint }: AuthorizationRequest,
): Promise<{ url: URL; pending: Pending }> {
  const server = await openServer(network, issuer, client.clientId);
  const keys = await oauth.randomDPoPKeyPair('ES256', { extractable: true });
  const verifier = oauth.randomPKCECodeVerifier();
  const url = await oauth.buildAuthorizationUrlWithPAR(
    server,
    {
      response_type: 'code',
      redirect_uri: client.redirectUri,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      login_hint: loginHint,
    },
    { DPoP: oauth.getDPoPHandle(server, keys) },
  );
  const key = privateKeySchema.parse(await webcrypto.subtle.exportKey('jwk', keys.privateKey));
  return { url, pending: { issuer, ...client, verifier, key } };
}

/**
 * Redeems the code of the callback, and revokes the tokens immediately.
 * @param query the query of the callback, including `state`
 * @returns the DID of the tokens. The caller checks that the server is authoritative for it.
 * @throws when the response is not that of this server to this request
 */
export async function redeemCode(
  network: Network,
  pending: Pending,
  query: Readonly<Record<string, string>>,
  state: string,
): Promise<string> {
  const server = await openServer(network, pending.issuer, pending.clientId);
  const address = new URL(pending.redirectUri);
  address.search = new URLSearchParams(query).toString();
  const tokens = await oauth.authorizationCodeGrant(
    server,
    address,
    { expectedState: state, pkceCodeVerifier: pending.verifier },
    undefined,
    { DPoP: oauth.getDPoPHandle(server, await importKeys(pending.key)) },
  );
  await revoke(server, tokens);
  return grantSchema.parse(tokens).sub;
}

/** Reads the server's metadata, and checks that they are of this issuer (RFC 8414). */
async function openServer(
  { fetch }: Network,
  issuer: string,
  clientId: string,
): Promise<oauth.Configuration> {
  const server = await oauth.discovery(
    new URL(issuer),
    clientId,
    { token_endpoint_auth_method: 'none' },
    oauth.None(),
    { algorithm: 'oauth2', [oauth.customFetch]: (url, request) => fetch(url, request as never) },
  );
  assertProtocolServer(server.serverMetadata());
  return server;
}

async function importKeys(key: Pending['key']): Promise<DPoPKeys> {
  const { d: _, ...publicPart } = key;
  const { subtle } = webcrypto;
  return {
    privateKey: await subtle.importKey('jwk', key, keyAlgorithm, false, ['sign']),
    publicKey: await subtle.importKey('jwk', publicPart, keyAlgorithm, true, ['verify']),
  };
}

/** Best effort: the tokens expire and are not stored. */
async function revoke(server: oauth.Configuration, tokens: oauth.TokenEndpointResponse): Promise<void> {
  if (server.serverMetadata().revocation_endpoint === undefined) return;
  await oauth.tokenRevocation(server, tokens.refresh_token ?? tokens.access_token).catch(() => undefined);
}
