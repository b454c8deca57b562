import { Readable } from 'node:stream';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';

/**
 * Returns the bytes of a response as a stream. It fails if the store closes the connection, or sends nothing for
 * `stallMs` during a read. A slow reader is not a stall.
 */
export function withStallTimeout(response: Readable, stallMs: number): Readable {
  const stream = Readable.from(readWithTimeout(response, stallMs), { objectMode: false });
  // The response may fail before the first read; a later read gets the error.
  response.on('error', () => undefined);
  stream.once('close', () => response.destroy());
  return stream;
}

async function* readWithTimeout(response: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const stalled = setTimeout(() => response.destroy(new Error(`no bytes within ${stallMs} ms`)), stallMs);
    const next = await chunks
      .next()
      .catch((error: unknown) => {
        throw new ObjectStoreUnavailable(error);
      })
      .finally(() => clearTimeout(stalled));
    if (next.done) return;
    yield next.value;
  }
}
