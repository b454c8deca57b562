import { createHash } from 'node:crypto';
import { finished, Transform, type Readable } from 'node:stream';
import { finished as ended } from 'node:stream/promises';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ObjectTooLarge } from '@quire/object-store';
import xxhash from 'xxhash-wasm';
import type { MediaObjects } from '../objects/index.js';
import { detectType, sampleBytes } from '../types/index.js';

/** Time for the transfer of a file and the insertion of its item. */
const reservationSeconds = 3600;
const hashes = await xxhash();

/** Hashes, size and type of a file, computed while its bytes are streamed. */
export interface Fingerprint {
  size: number;
  /** Decides whether bytes are equal. */
  sha256: string;
  /** Finds candidates of equal bytes. */
  xxh64: string;
  /** The type detected from the bytes, if any. */
  detectedType: string | undefined;
}

/** A stored file whose deletion is scheduled until an item references it. */
export interface ReceivedFile extends Fingerprint {
  objectKey: string;
}

/**
 * Streams a file to the store, reading it once. The object of a rejected or incomplete file is deleted.
 * @throws QuireError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, NO_STORAGE; the source's error.
 */
export async function receiveFile(
  ctx: Context,
  objects: MediaObjects,
  source: Readable,
  { contentType, maxBytes, signal }: { contentType: string; maxBytes: number; signal: AbortSignal },
): Promise<ReceivedFile> {
  const objectKey = await objects.reserve(ctx, { afterSeconds: reservationSeconds });
  const { bytes, fingerprint } = createFingerprintStream(source);
  try {
    await objects.put(objectKey, bytes, { contentType, maxBytes, signal });
    return { objectKey, ...(await fingerprint()) };
  } catch (error) {
    // The rest of the request must not wait for the destroyed stream.
    source.unpipe(bytes);
    bytes.destroy();
    await objects.remove(ctx, objectKey);
    if (error instanceof ObjectTooLarge) throw fileTooLargeError(maxBytes);
    throw error;
  }
}

/** Computes the fingerprint of a stored file. */
export async function computeFingerprint(stored: Readable): Promise<Fingerprint> {
  const { bytes, fingerprint } = createFingerprintStream(stored);
  bytes.resume();
  await ended(bytes);
  return fingerprint();
}

export function fileTooLargeError(maxBytes: number): QuireError {
  return new QuireError('PAYLOAD_TOO_LARGE', `A file may have at most ${maxBytes} bytes`);
}

/** A stream of the bytes of a source, and their fingerprint at its end. The source is never destroyed. */
function createFingerprintStream(source: Readable): {
  bytes: Transform;
  fingerprint: () => Promise<Fingerprint>;
} {
  const strong = createHash('sha256');
  const quick = hashes.create64();
  const sample: Buffer[] = [];
  let size = 0;
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size < sampleBytes) sample.push(chunk.subarray(0, sampleBytes - size));
      size += chunk.length;
      strong.update(chunk);
      quick.update(chunk);
      done(null, chunk);
    },
  });
  bytes.once('close', () => source.unpipe(bytes));
  // The listeners stay, so that a later error of the unread source is not an uncaught exception.
  finished(source, { writable: false }, (error) => {
    if (error) bytes.destroy(error);
  });
  source.pipe(bytes);
  const fingerprint = async () => ({
    size,
    sha256: strong.digest('hex'),
    xxh64: `xxh64:${quick.digest().toString(16).padStart(16, '0')}`,
    detectedType: await detectType(Buffer.concat(sample)),
  });
  return { bytes, fingerprint };
}
