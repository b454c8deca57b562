/** The scope that a login requests: it only identifies the account. */
export const scope = 'atproto';

export const metadataPath = 'client-metadata.json';
export const loopbackPath = 'loopback';

export interface SiteAddresses {
  origin: string;
  callbackUrl: string;
  routesUrl: string;
}

/** The identity of a site at authorization servers. */
export interface SiteClient {
  clientId: string;
  redirectUri: string;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The identity of the site: over https the address of its metadata document; on a developer's machine, which no server
 * can reach, the protocol's identifier for that case, which contains the redirect address.
 * @returns undefined for a site that is reached over http elsewhere: the protocol has no such client
 */
export function siteClient(site: SiteAddresses): SiteClient | undefined {
  const { protocol, hostname } = new URL(site.origin);
  if (protocol === 'https:') {
    return { clientId: `${site.routesUrl}/${metadataPath}`, redirectUri: site.callbackUrl };
  }
  return loopbackNames.includes(hostname) ? loopbackClient(site) : undefined;
}

function loopbackClient(site: SiteAddresses): SiteClient {
  const redirectUri = loopbackRedirect(site);
  return {
    clientId: `http://localhost?${new URLSearchParams({ redirect_uri: redirectUri, scope })}`,
    redirectUri,
  };
}

/** The protocol redirects to loopback addresses only, not to `localhost`: such browsers use the `loopback` route. */
function loopbackRedirect({ callbackUrl, routesUrl }: SiteAddresses): string {
  if (new URL(callbackUrl).hostname !== 'localhost') return callbackUrl;
  const route = new URL(`${routesUrl}/${loopbackPath}`);
  route.hostname = '127.0.0.1';
  return route.href;
}

/** The metadata document at the address `clientId`: of a public client without a secret. */
export function clientMetadata(site: SiteAddresses) {
  return {
    client_id: `${site.routesUrl}/${metadataPath}`,
    client_name: new URL(site.origin).host,
    client_uri: site.origin,
    application_type: 'web',
    redirect_uris: [site.callbackUrl],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope,
    token_endpoint_auth_method: 'none',
    dpop_bound_access_tokens: true,
  };
}
