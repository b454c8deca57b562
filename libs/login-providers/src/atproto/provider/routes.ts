import type {
  ProviderContext,
  ProviderRoute,
  RouteResponse,
  RouteRequest,
} from '../../descriptor/login-provider.js';
import { clientMetadata, loopbackPath, metadataPath, siteClient } from '../client/site-client.js';

/** Authorization servers read the metadata, and browsers on a developer's machine return by the loopback route. */
export const publicPrefixes = [metadataPath, loopbackPath];

export const routes: readonly ProviderRoute[] = [
  { method: 'GET', path: metadataPath, handle: showMetadata },
  { method: 'GET', path: loopbackPath, handle: passToLocalhost },
];

/** A site on a developer's machine has no document: its identifier contains the metadata. */
function showMetadata(context: ProviderContext): RouteResponse {
  if (!context.origin.startsWith('https://')) return { status: 404, body: { error: 'not_found' } };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: clientMetadata(context),
  };
}

/**
 * The callback of a site that was opened as `localhost`: servers redirect to 127.0.0.1, where the browser does not send
 * the cookie of the login.
 */
function passToLocalhost(context: ProviderContext, { query }: RouteRequest): RouteResponse {
  if (context.origin.startsWith('https://') || !siteClient(context)) {
    return { status: 404, body: { error: 'not_found' } };
  }
  const callback = new URL(context.callbackUrl);
  callback.hostname = 'localhost';
  callback.search = new URLSearchParams(query).toString();
  return { status: 302, headers: { location: callback.href } };
}
