import { Readable } from 'node:stream';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';

/**
 * The bytes of an answer, as a stream that fails when the store breaks off, or gives nothing for `stallMs` while
 * somebody waits for it. A slow reader is not a stall.
 */
export function withStallTimeout(answer: Readable, stallMs: number): Readable {
  const flowing = Readable.from(readWithTimeout(answer, stallMs), { objectMode: false });
  // It may break off before anybody reads; whoever reads then learns of it.
  answer.on('error', () => undefined);
  flowing.once('close', () => answer.destroy());
  return flowing;
}

async function* readWithTimeout(answer: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const stalled = setTimeout(() => answer.destroy(new Error(`no bytes within ${stallMs} ms`)), stallMs);
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
