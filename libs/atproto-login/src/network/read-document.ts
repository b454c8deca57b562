import type { z } from 'zod';
import type { Network } from './network.js';

/**
 * Reads a JSON document of the protocol.
 * @throws when it cannot be fetched, is answered with anything but 200, or is not what `schema` says.
 */
export async function readDocument<T extends z.ZodType>(
  { fetch }: Network,
  url: string,
  schema: T,
): Promise<z.output<T>> {
  const answer = await fetch(url, { headers: { accept: 'application/json, application/did+ld+json' } });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`${url} answers ${answer.status}`);
  }
  return schema.parse(await answer.json());
}
