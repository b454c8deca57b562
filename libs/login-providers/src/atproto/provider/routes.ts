import type {
  ProviderContext,
  ProviderRoute,
  RouteResponse,
  RouteRequest,
} from '../../descriptor/login-provider.js';
import { clientMetadata, loopbackPath, metadataPath, siteClient } from '../client/site-client.js';

/** Authorization servers read the one, and a developer's browser comes by the other on its way back. */
export const publicPrefixes = [metadataPath, loopbackPath];

export const routes: readonly ProviderRoute[] = [
  { method: 'GET', path: metadataPath, handle: showMetadata },
  { method: 'GET', path: loopbackPath, handle: passToLocalhost },
];

/** A site on a developer's machine has no document: its identifier says everything. */
function showMetadata(context: ProviderContext): RouteResponse {
  if (!context.origin.startsWith('https://')) return { status: 404, body: { error: 'not_found' } };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: clientMetadata(context),
  };
}

/**
 * The way back to a site that was opened as `localhost`: servers redirect to 127.0.0.1, where the browser does not show
 * the cookie that the login began with.
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
