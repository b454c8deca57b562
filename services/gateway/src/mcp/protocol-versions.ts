import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';

/** The stateless revision, whose requests carry their version. */
export const modernVersion = '2026-07-28';

/** Revisions that begin with `initialize`, newest first. */
export const legacyVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

/** The revision of an `initialize` that asks for an unknown one. */
export const latestLegacyVersion = LATEST_PROTOCOL_VERSION;

/** The revision of a request without `MCP-Protocol-Version`. */
export const defaultVersion = DEFAULT_NEGOTIATED_PROTOCOL_VERSION;

/** The only revision with JSON-RPC batches: it added them, and the next one removed them. */
const versionWithBatches = '2025-03-26';

/** Whether a revision has JSON-RPC batches. */
export function hasBatches(version: string): boolean {
  return version === versionWithBatches;
}
