import { createHash } from 'node:crypto';
import { finished, Transform, type Readable } from 'node:stream';

/**
 * The bytes of a source, which end with an error when their SHA-256 is another one: a store that reads them then stores
 * nothing. The source is never destroyed.
 * @param mismatch the error for other bytes
 */
export function verifiedBytes(
  source: Readable,
  { sha256, mismatch }: { sha256: string; mismatch: () => Error },
): Transform {
  const hash = createHash('sha256');
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(hash.digest('hex') === sha256 ? null : mismatch());
    },
  });
  // A later error of a stream that is not read any more must not end the process.
  bytes.on('error', () => undefined);
  bytes.once('close', () => source.unpipe(bytes));
  finished(source, { writable: false }, (error) => {
    if (error) bytes.destroy(error);
  });
  source.pipe(bytes);
  return bytes;
}
