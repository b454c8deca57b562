import { z } from 'zod';
import type { Network } from '../network/network.js';
import { parseOrigin, readDocument } from '../network/read-document.js';

const protectedResourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).length(1),
});

/**
 * Reads the issuer of the authorization server of an account's server.
 * @throws when it names none, or several
 */
export async function issuerOf(network: Network, server: string): Promise<string> {
  const address = `${server}/.well-known/oauth-protected-resource`;
  const document = await readDocument(network, address, protectedResourceSchema);
  if (parseOrigin(document.resource) !== server) throw new Error(`${address} is of another server`);
  return parseOrigin(document.authorization_servers[0]);
}

const endpoint = z.url({ protocol: /^https$/ });
const listWith = (value: string) => z.array(z.string()).refine((list) => list.includes(value));

/** The requirements of the protocol on an authorization server beyond RFC 8414, as far as a login needs them. */
const serverSchema = z.object({
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  pushed_authorization_request_endpoint: endpoint,
  require_pushed_authorization_requests: z.literal(true),
  client_id_metadata_document_supported: z.literal(true),
  // Without it a response could be passed off as that of another server.
  authorization_response_iss_parameter_supported: z.literal(true),
  code_challenge_methods_supported: listWith('S256'),
  dpop_signing_alg_values_supported: listWith('ES256'),
  scopes_supported: listWith('atproto'),
});

/** @throws when the metadata do not meet the requirements of the protocol */
export function assertProtocolServer(metadata: unknown): void {
  serverSchema.parse(metadata);
}
