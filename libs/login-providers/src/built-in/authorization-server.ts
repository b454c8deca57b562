import * as client from 'openid-client';
import type { ProviderContext, Query } from '../descriptor/login-provider.js';
import { LoginProviderError } from '../descriptor/login-provider-error.js';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What the two built-in providers read from the environment. */
export const clientVariables = ['CLIENT_ID', 'CLIENT_SECRET'] as const;

/**
 * The address of a server that logins go to, without a slash at the end.
 * @throws Error for what is no https address; plain http is for a server on the same machine alone.
 */
export function serverAddress(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.has(url.hostname));
  if (!isFit) throw new Error(`${option}: must be an https address`);
  return text.replace(/\/+$/, '');
}

/** Has a client of a server work within our bounds; plain http goes where `serverAddress` lets it. */
export function bounded(
  configuration: client.Configuration,
  { fetch }: ProviderContext,
): client.Configuration {
  configuration[client.customFetch] = fetch as client.CustomFetch;
  const { issuer } = configuration.serverMetadata();
  if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
  return configuration;
}

/** Credentials of this site at the server. */
export function credentialsOf({ variables }: ProviderContext): { id: string; secret: string } {
  const { CLIENT_ID: id, CLIENT_SECRET: secret } = variables;
  if (id === undefined || secret === undefined)
    throw new Error('The provider is called without its variables');
  return { id, secret };
}

/** The callback as the server's answer. @throws LoginProviderError invalid_callback when it brings no code. */
export function callbackOf({ callbackUrl }: ProviderContext, query: Query): URL {
  if (!query['code']) throw new LoginProviderError('invalid_callback', 'The login came back incomplete');
  const url = new URL(callbackUrl);
  url.search = new URLSearchParams(query).toString();
  return url;
}
