import { z } from 'zod';
import { CommandError, SiteError } from '../command-error.js';
import { ConnectionError, type HttpClient } from '../http/http-client.js';
import { readJson } from '../http/read-response.js';
import { assertOnSite } from '../sites/site-origin.js';

const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).min(1),
});

const serverSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  device_authorization_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  registration_endpoint: z.string().optional(),
});

/** The endpoints for the login of a device, all on the origin of the site. */
export interface AuthorizationServer {
  deviceEndpoint: string;
  tokenEndpoint: string;
  revocationEndpoint: string | null;
  registrationEndpoint: string | null;
}

/**
 * Finds the authorization server of a site (RFC 9728, RFC 8414).
 * @throws CommandError when the site is none of Quire, has another address, or has no login for devices;
 *   ConnectionError
 */
export async function discoverServer(http: HttpClient, origin: string): Promise<AuthorizationServer> {
  const resource = await readDocument(http, `${origin}/.well-known/oauth-protected-resource`, resourceSchema);
  assertOnSite(resource.resource, origin);
  const issuer = resource.authorization_servers[0] ?? '';
  assertOnSite(issuer, origin);
  const server = await readDocument(http, metadataAddress(issuer), serverSchema);
  if (server.issuer !== issuer)
    throw new CommandError(`The authorization server of ${origin} has the metadata of another one`);
  const { device_authorization_endpoint: deviceEndpoint, token_endpoint: tokenEndpoint } = server;
  if (deviceEndpoint === undefined)
    throw new CommandError(
      `${origin} signs users in through an access proxy, without a login for commands: set CMS_URL and CMS_TOKEN, a personal access token`,
    );
  const [revocationEndpoint, registrationEndpoint] = [
    server.revocation_endpoint,
    server.registration_endpoint,
  ];
  for (const endpoint of [deviceEndpoint, tokenEndpoint, revocationEndpoint, registrationEndpoint])
    if (endpoint !== undefined) assertOnSite(endpoint, origin);
  return {
    deviceEndpoint,
    tokenEndpoint,
    revocationEndpoint: revocationEndpoint ?? null,
    registrationEndpoint: registrationEndpoint ?? null,
  };
}

/** The address of the metadata of an issuer: the well-known path precedes that of the issuer (RFC 8414, 3). */
function metadataAddress(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
}

async function readDocument<Schema extends z.ZodType>(http: HttpClient, address: string, schema: Schema) {
  const response = await http.send(address);
  try {
    return await readJson(response, schema);
  } catch (error) {
    if (error instanceof ConnectionError || (error instanceof SiteError && error.status >= 500)) throw error;
    throw new CommandError(`${new URL(address).origin} is not a Quire site`, { cause: error });
  }
}
