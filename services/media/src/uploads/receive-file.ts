import { createHash } from 'node:crypto';
import { finished, Transform, type Readable } from 'node:stream';
import { finished as ended } from 'node:stream/promises';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ObjectTooLarge } from '@quire/object-store';
import xxhash from 'xxhash-wasm';
import type { MediaObjects } from '../objects/index.js';
import { detectType, sampleBytes } from '../types/index.js';

/** Time to send a file and to make an item of it. */
const reservationSeconds = 3600;
const hashes = await xxhash();

/** What the bytes of a file are, found out while they passed. */
export interface Fingerprint {
  size: number;
  /** What decides whether bytes are the same. */
  sha256: string;
  /** What finds candidates. */
  xxh64: string;
  /** The type that the bytes tell, if any. */
  detectedType: string | undefined;
}

/** A stored file whose deletion is scheduled until an item references it. */
export interface ReceivedFile extends Fingerprint {
  objectKey: string;
}

/**
 * Streams a file to the store, reading it once. An object of a refused or broken file is deleted.
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
    // What the client still sends is not to wait here.
    source.unpipe(bytes);
    bytes.destroy();
    await objects.remove(ctx, objectKey);
    if (error instanceof ObjectTooLarge) throw fileTooLargeError(maxBytes);
    throw error;
  }
}

/** Finds out what a stored file is. */
export async function computeFingerprint(stored: Readable): Promise<Fingerprint> {
  const { bytes, fingerprint } = createFingerprintStream(stored);
  bytes.resume();
  await ended(bytes);
  return fingerprint();
}

export function fileTooLargeError(maxBytes: number): QuireError {
  return new QuireError('PAYLOAD_TOO_LARGE', `A file has ${maxBytes} bytes at most`);
}

/** The bytes of a source, and what they are once they have passed. The source is never destroyed. */
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
  // Its listeners stay: a source that fails later, when nobody reads it any more, must not end the process.
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
