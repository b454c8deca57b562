import type { Readable, Transform } from 'node:stream';
import { finished as ended } from 'node:stream/promises';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { fingerprintStream, ObjectTooLarge, type StreamFingerprint } from '@quire/object-store';
import type { MediaObjects } from '../objects/index.js';
import { detectType, sampleBytes } from '../types/index.js';

/** Time for the transfer of a file and the insertion of its item. */
const reservationSeconds = 3600;

/** Hashes, size and type of a file, computed while its bytes are streamed. */
export interface Fingerprint extends Omit<StreamFingerprint, 'sample'> {
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

/** The stream of `fingerprintStream`, and the fingerprint with the detected type. */
function createFingerprintStream(source: Readable): {
  bytes: Transform;
  fingerprint: () => Promise<Fingerprint>;
} {
  const { bytes, fingerprint: hashed } = fingerprintStream(source, { sampleBytes });
  const fingerprint = async () => {
    const { sample, ...hashes } = hashed();
    return { ...hashes, detectedType: await detectType(sample) };
  };
  return { bytes, fingerprint };
}
