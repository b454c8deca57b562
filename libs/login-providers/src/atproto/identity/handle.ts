import type { Network } from '../network/network.js';
import { type Did, isDid } from './account-name.js';

/**
 * Finds the DID that a handle leads to: by its DNS record, else by its web server.
 * @returns null when neither says one. It does not tell whether the DID agrees.
 */
export async function resolveHandle(network: Network, handle: string): Promise<Did | null> {
  return (await didInDns(network, handle)) ?? (await didOnWebServer(network, handle));
}

async function didInDns({ resolveTxt }: Network, handle: string): Promise<Did | null> {
  const records = await resolveTxt(`_atproto.${handle}`).catch(() => []);
  const dids = records.map((chunks) => chunks.join('')).filter((text) => text.startsWith('did='));
  // Several do not say which one holds.
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
    // Most handles have no web server; that is no more than "not this way".
    return null;
  }
}
