import { z } from 'zod';
import type { Network } from '../network/network.js';
import { parseOrigin, readDocument } from '../network/read-document.js';
import { type Did, isHandle } from './account-name.js';

const didDocumentSchema = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string()).optional(),
  service: z.array(z.object({ id: z.string(), type: z.unknown(), serviceEndpoint: z.unknown() })).optional(),
});
type DidDocument = z.output<typeof didDocumentSchema>;

/** The properties of a DID document that a login needs. */
export interface DidFacts {
  /** The handle that the document claims; the handle has to confirm it. */
  claimedHandle: string | null;
  /** Origin of the account's server. */
  server: string;
}

/**
 * Reads the document of a DID, from the directory for did:plc and from the host itself for did:web.
 * @throws when there is none, it is for another DID, or it names no server
 */
export async function readDid(network: Network, did: Did): Promise<DidFacts> {
  const document = await readDocument(network, documentAddress(network, did), didDocumentSchema);
  if (document.id !== did) throw new Error(`the document of ${did} is that of ${document.id}`);
  return { claimedHandle: claimedHandle(document), server: accountServer(document) };
}

function documentAddress({ plcDirectory }: Network, did: Did): string {
  return did.startsWith('did:web:')
    ? `https://${did.slice('did:web:'.length)}/.well-known/did.json`
    : `${plcDirectory}/${did}`;
}

/** The first `at:` name is the handle. */
function claimedHandle({ alsoKnownAs = [] }: DidDocument): string | null {
  const first = alsoKnownAs.find((name) => name.startsWith('at://'));
  const handle = first?.slice('at://'.length).toLowerCase();
  return handle !== undefined && isHandle(handle) ? handle : null;
}

function accountServer({ id, service = [] }: DidDocument): string {
  const entry = service.find((one) => one.id === '#atproto_pds' || one.id === `${id}#atproto_pds`);
  if (entry?.type !== 'AtprotoPersonalDataServer') throw new Error(`${id} names no server of its account`);
  return parseOrigin(entry.serviceEndpoint);
}
