import type { Network } from '../network/network.js';
import type { AccountName, Did } from './account-name.js';
import { readDid } from './did-document.js';
import { resolveHandle } from './handle.js';

export interface Account {
  did: Did;
  /** The handle that the DID claims and that leads back to it; null when the two do not agree. */
  handle: string | null;
  /** Origin of the server that keeps the account. */
  server: string;
}

/** A handle leads nowhere. */
export class UnknownHandleError extends Error {
  override readonly name = 'UnknownHandleError';
}

/**
 * Finds an account by its entered name.
 * @throws UnknownHandleError for a handle that leads to no DID, and other errors when the DID leads to no server.
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
