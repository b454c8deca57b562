import { createHash } from 'node:crypto';
import { finished, Transform, type Readable } from 'node:stream';
import xxhash from 'xxhash-wasm';

const hashes = await xxhash();

/** Hashes and size of a file, computed while its bytes are streamed. */
export interface StreamFingerprint {
  /** Bytes. */
  size: number;
  /** Decides whether bytes are equal. */
  sha256: string;
  /** Finds candidates of equal bytes: "xxh64:…". */
  xxh64: string;
  /** The first bytes, for the detection of the type. */
  sample: Buffer;
}

/**
 * A stream of the bytes of a source, and their fingerprint at its end. The source is never destroyed.
 * @param options.sampleBytes maximum size of the sample
 */
export function fingerprintStream(
  source: Readable,
  { sampleBytes }: { sampleBytes: number },
): { bytes: Transform; fingerprint: () => StreamFingerprint } {
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
  const fingerprint = () => ({
    size,
    sha256: strong.digest('hex'),
    xxh64: `xxh64:${quick.digest().toString(16).padStart(16, '0')}`,
    sample: Buffer.concat(sample),
  });
  return { bytes, fingerprint };
}
