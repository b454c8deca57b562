import { createHash } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import tar from 'tar-stream';
import { addToDigest, endName, maxPieceBytes, pieceName } from './archive-format.js';

/**
 * Writes a backup: a compressed tar archive, whose last entry has a digest of all others. The bytes in memory do not
 * depend on its size. Calls wait for each other: one entry is written at a time.
 */
export class ArchiveWriter {
  private readonly pack = tar.pack();
  private readonly digest = createHash('sha256');
  private readonly written: Promise<void>;

  constructor(target: Writable) {
    this.written = pipeline(this.pack, createGzip({ level: constants.Z_BEST_SPEED }), target);
    // Reported by the call that writes, or by `finish`.
    this.written.catch(() => undefined);
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    addToDigest(this.digest, name, bytes.length).update(bytes);
    await this.entry((done) => this.pack.entry({ name, mode: 0o600 }, bytes, done));
  }

  /** Adds JSON that a person can read. */
  addJson(name: string, value: unknown): Promise<void> {
    return this.add(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
  }

  /**
   * Adds bytes of unknown number as entries `<prefix>/000001` and so on: a tar archive needs the size of each. Without
   * bytes there is no entry.
   */
  async addPieces(prefix: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    let parts: Buffer[] = [];
    let size = 0;
    let number = 0;
    const flush = async () => {
      if (size === 0) return;
      number += 1;
      await this.add(pieceName(prefix, number), Buffer.concat(parts, size));
      parts = [];
      size = 0;
    };
    for await (const part of bytes) {
      parts.push(part);
      size += part.length;
      if (size >= maxPieceBytes) await flush();
    }
    await flush();
  }

  /** Adds a stream of known size. @throws Error when it has another number of bytes; then the archive is unusable */
  async addStream(name: string, size: number, bytes: Readable): Promise<void> {
    addToDigest(this.digest, name, size);
    await this.entry((done) => {
      const entry = this.pack.entry({ name, size, mode: 0o600 }, done);
      bytes.on('data', (chunk: Buffer) => this.digest.update(chunk));
      bytes.once('error', (error) => entry.destroy(error));
      bytes.pipe(entry);
      return entry;
    });
  }

  /** Writes the end: without it an archive is not whole. Resolves when the target has all bytes. */
  async finish(): Promise<void> {
    const sha256 = this.digest.digest('hex');
    const end = Buffer.from(`${JSON.stringify({ sha256 })}\n`);
    await this.entry((done) => this.pack.entry({ name: endName, mode: 0o600 }, end, done));
    this.pack.finalize();
    await this.written;
  }

  /** Ends the target after a failure. */
  async abort(error: Error): Promise<void> {
    this.pack.destroy(error);
    await this.written.catch(() => undefined);
  }

  private async entry(
    begin: (done: (error?: Error | null) => void) => ReturnType<tar.Pack['entry']>,
  ): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const entry = begin((error) => (error ? reject(error) : resolve()));
        // It calls back with the error as well.
        entry.on('error', () => undefined);
      });
    } catch (error) {
      // The failure of the target is the cause, if there is one.
      this.pack.destroy(error as Error);
      await this.written;
      throw error;
    }
  }
}
