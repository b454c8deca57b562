import { z } from 'zod';
import { CommandError, SiteError } from '../command-error.js';
import type { HttpClient } from '../http/http-client.js';
import { readJson } from '../http/read-response.js';
import type { AuthorizationServer } from './discovery.js';
import { deviceGrantType } from './tokens.js';

const signInMethodsSchema = z.object({
  auth: z.object({ methods: z.object({ device_flow: z.object({ client_id: z.string() }).optional() }) }),
});

const registeredSchema = z.object({ client_id: z.string() });

/** The metadata of a client without a redirect address must still have one (RFC 7591); it is never used. */
const registration = {
  client_name: 'Quire command line',
  redirect_uris: ['http://127.0.0.1/'],
  grant_types: [deviceGrantType, 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

/**
 * The id of this program at a site: the one that the site has for command lines (contract 34), else a new registration
 * (RFC 7591).
 * @throws CommandError when the site has neither; ConnectionError
 */
export async function obtainClientId(
  http: HttpClient,
  { origin, server, scopes }: { origin: string; server: AuthorizationServer; scopes: readonly string[] },
): Promise<string> {
  const known = await readKnownClientId(http, origin);
  if (known !== undefined) return known;
  if (server.registrationEndpoint === null)
    throw new CommandError(
      `${origin} has no login for commands: set CMS_URL and CMS_TOKEN, a personal access token`,
    );
  const response = await http.send(server.registrationEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...registration, scope: scopes.join(' ') }),
  });
  return (await readJson(response, registeredSchema)).client_id;
}

async function readKnownClientId(http: HttpClient, origin: string): Promise<string | undefined> {
  try {
    const methods = await readJson(await http.send(`${origin}/_cms/.well-known/auth`), signInMethodsSchema);
    return methods.auth.methods.device_flow?.client_id;
  } catch (error) {
    if (error instanceof SiteError && error.status < 500) return undefined;
    throw error;
  }
}
