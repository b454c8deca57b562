import xxhash from 'xxhash-wasm';

const hashes = await xxhash();

/** The bytes of a file, whose size and hash are known once they have been read. */
export class MeasuredFile implements AsyncIterable<Uint8Array> {
  /** Bytes that have been read. */
  size = 0;
  private readonly digest = hashes.create64();

  constructor(private readonly bytes: AsyncIterable<Uint8Array>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.bytes) {
      this.size += chunk.length;
      this.digest.update(chunk);
      yield chunk;
    }
  }

  /** xxHash64 of the bytes that have been read, in 16 hexadecimal digits. */
  hash(): string {
    return this.digest.digest().toString(16).padStart(16, '0');
  }
}
