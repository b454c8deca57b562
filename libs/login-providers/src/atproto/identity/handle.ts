import type { Network } from '../network/network.js';
import { type Did, isDid } from './account-name.js';

/**
 * Resolves a handle to a DID: by its DNS record, else by its web server.
 * @returns null when neither has one. The caller checks that the DID confirms the handle.
 */
export async function resolveHandle(network: Network, handle: string): Promise<Did | null> {
  return (await didInDns(network, handle)) ?? (await didOnWebServer(network, handle));
}

async function didInDns({ resolveTxt }: Network, handle: string): Promise<Did | null> {
  const records = await resolveTxt(`_atproto.${handle}`).catch(() => []);
  const dids = records.map((chunks) => chunks.join('')).filter((text) => text.startsWith('did='));
  // Several records are ambiguous.
  const did = dids.length === 1 ? dids[0]?.slice('did='.length) : undefined;
  return did !== undefined && isDid(did) ? did : null;
}

async function didOnWebServer({ fetch }: Network, handle: string): Promise<Did | null> {
  try {
    const response = await fetch(`https://${handle}/.well-known/atproto-did`);
    const text = await response.text();
    const did = text.split('\n', 1)[0]?.trim() ?? '';
    return response.status === 200 && isDid(did) ? did : null;
  } catch {
    // Most handles have no web server: a failure only means that this method gives no DID.
    return null;
  }
}
