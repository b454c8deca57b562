import type { Network } from '../network/network.js';
import type { AccountName, Did } from './account-name.js';
import { readDid } from './did-document.js';
import { resolveHandle } from './handle.js';

export interface Account {
  did: Did;
  /** The handle that the DID claims and that resolves to the DID; null when the two do not agree. */
  handle: string | null;
  /** Origin of the account's server. */
  server: string;
}

/** A handle does not resolve to a DID. */
export class UnknownHandleError extends Error {
  override readonly name = 'UnknownHandleError';
}

/**
 * Finds an account by its entered name.
 * @throws UnknownHandleError for a handle that does not resolve, and other errors when the DID names no server
 */
export async function resolveAccount(network: Network, name: AccountName): Promise<Account> {
  const did = name.kind === 'did' ? name.did : await resolveHandle(network, name.handle);
  if (did === null) throw new UnknownHandleError();
  const { claimedHandle, server } = await readDid(network, did);
  const typed = name.kind === 'handle' ? name.handle : null;
  const isConfirmed =
    claimedHandle !== null &&
    (claimedHandle === typed || (await resolveHandle(network, claimedHandle)) === did);
  return { did, handle: isConfirmed ? claimedHandle : null, server };
}
