import { isDid, isHandle } from '../identity/account-name.js';

/** The accounts that may sign in: all without either list, otherwise those in one of the lists. */
export interface AllowedAccounts {
  /** Handles, and `*.example.com` for all below example.com (excluding example.com). */
  allowedHandles?: readonly string[];
  allowedDIDs?: readonly string[];
}

export type IsAllowed = (account: { did: string; handle: string | null }) => boolean;

/**
 * Parses the lists of a configuration.
 * @returns a predicate for accounts. A handle counts only when it is confirmed, so not null.
 * @throws Error with a message of one line for an entry that can never match
 */
export function allowedAccounts({ allowedHandles, allowedDIDs }: AllowedAccounts): IsAllowed {
  if (!allowedHandles && !allowedDIDs) return () => true;
  const handles = (allowedHandles ?? []).map(readHandle);
  const dids = (allowedDIDs ?? []).map(readDid);
  return ({ did, handle }) =>
    dids.includes(did) || (handle !== null && handles.some((pattern) => matches(pattern, handle)));
}

/** A pattern for several handles begins with the dot of their suffix. */
function matches(pattern: string, handle: string): boolean {
  return pattern.startsWith('.') ? handle.endsWith(pattern) : handle === pattern;
}

function readHandle(entry: string): string {
  const text = entry.trim().replace(/^@/, '').toLowerCase();
  const pattern = text.replace(/^\*(?=\.)/, '');
  // `*.com` would be a whole top-level domain: two labels at least, as for a handle.
  if (isHandle(pattern.replace(/^\./, '')) && !text.startsWith('.')) return pattern;
  throw new Error(`allowedHandles: "${entry}" is neither a handle nor a pattern such as "*.example.com"`);
}

function readDid(entry: string): string {
  if (isDid(entry)) return entry;
  throw new Error(`allowedDIDs: "${entry}" is not a DID such as "did:plc:…" or "did:web:example.com"`);
}
