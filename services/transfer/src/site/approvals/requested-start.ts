import { canonicalDigestOf, type Digest } from '@quire/site-package';

/** The start of an export or import, with its exact arguments, defaults included. */
export type RequestedStart =
  | { action: 'export'; arguments: { comments: boolean } }
  | { action: 'import'; arguments: { operationId: string; packageDigest: string; planDigest: string } };

/** The digest of an action and its arguments. An approval is valid for one digest. */
export function paramsDigestOf(start: RequestedStart): Digest {
  return canonicalDigestOf(start);
}
