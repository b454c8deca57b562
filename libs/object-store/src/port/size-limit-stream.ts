import { finished, Transform, type Readable } from 'node:stream';
import { ObjectSizeMismatch, ObjectTooLarge } from './object-store-errors.js';

export interface SizeLimitStream {
  /** The source's bytes; it fails with the source, and for a wrong number of bytes. */
  bytes: Transform;
  /** Number of bytes that have passed. */
  size(): number;
  /** The error, when the source or its length was the cause and not the store. */
  failure(): Error | undefined;
}

/**
 * Counts the bytes of a source on their way to a store.
 *
 * The source itself is never destroyed: it may be a request whose connection still carries the error response.
 */
export function sizeLimitStream(
  source: Readable,
  limits: { size?: number; maxBytes?: number },
): SizeLimitStream {
  const { size: announced, maxBytes = Infinity } = limits;
  let count = 0;
  let failure: Error | undefined;
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > maxBytes) failure = new ObjectTooLarge(maxBytes);
      else if (announced !== undefined && count > announced) failure = new ObjectSizeMismatch(announced);
      done(failure, chunk);
    },
    flush(done) {
      if (announced !== undefined && count < announced) failure = new ObjectSizeMismatch(announced);
      done(failure);
    },
  });
  // The stream may fail before the store reads it; a later read gets the error.
  bytes.on('error', () => undefined);
  bytes.once('close', () => source.unpipe(bytes));
  // The listeners remain: a source that fails later, without a reader, must not end the process.
  finished(source, { writable: false }, (error) => {
    if (!error) return;
    failure ??= error;
    bytes.destroy(error);
  });
  source.pipe(bytes);
  return { bytes, size: () => count, failure: () => failure };
}
