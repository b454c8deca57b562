import type { z } from 'zod';
import type { Network } from './network.js';

/**
 * Reads a JSON document of the protocol.
 * @throws when it cannot be fetched, its status is not 200, or it does not match `schema`
 */
export async function readDocument<T extends z.ZodType>(
  { fetch }: Network,
  url: string,
  schema: T,
): Promise<z.output<T>> {
  const response = await fetch(url, { headers: { accept: 'application/json, application/did+ld+json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} answers ${response.status}`);
  }
  return schema.parse(await response.json());
}

/**
 * Parses a text that is exactly an origin.
 * @throws when it is not the https origin of a server
 */
export function parseOrigin(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new Error(`${JSON.stringify(text)} is not the https address of a server`);
  }
  return url.origin;
}
