import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ConfigurationError } from '@quire/config';
import tar, { type Header } from 'tar-stream';
import { addToDigest, endName } from './archive-format.js';

const maxJsonBytes = 512 * 1024 * 1024;

/** An entry of a backup. Its bytes are read once and whole, or not at all, before the next entry is requested. */
export interface ArchiveEntry {
  name: string;
  size: number;
  bytes: AsyncIterable<Buffer>;
}

/** The types of the library lack it. */
type Entry = AsyncIterable<unknown> & { header: Header };

/** Reads a backup entry by entry, and compares its digest at the end. The caller closes it. */
export class ArchiveReader {
  private readonly extract = tar.extract();
  private readonly entries: AsyncIterator<Entry>;
  private readonly reading: Promise<void>;
  private readonly digest = createHash('sha256');
  private current: ArchiveEntry | undefined;
  private ahead: ArchiveEntry | undefined;
  private hasEnded = false;

  constructor(private readonly path: string) {
    this.reading = pipeline(createReadStream(path), createGunzip(), this.extract);
    // Reported by `next`.
    this.reading.catch(() => undefined);
    this.entries = (this.extract as unknown as AsyncIterable<Entry>)[Symbol.asyncIterator]();
  }

  /** The next entry, which remains the next one; undefined after the last. @throws ConfigurationError as `next` */
  async peek(): Promise<ArchiveEntry | undefined> {
    this.ahead ??= await this.read();
    return this.ahead;
  }

  /**
   * The next entry; undefined after the last. What is left of the former one is skipped.
   * @throws ConfigurationError for a file that is no backup, is not whole or was changed
   */
  async next(): Promise<ArchiveEntry | undefined> {
    const entry = await this.peek();
    this.ahead = undefined;
    return entry;
  }

  /** The JSON of the next entry. @throws ConfigurationError when another entry is next */
  async nextJson(name: string): Promise<unknown> {
    const entry = await this.next();
    if (entry?.name !== name || entry.size > maxJsonBytes) throw this.unusable(`it has no ${name} here`);
    return JSON.parse((await bytesOf(entry)).toString('utf8'));
  }

  /** The bytes of the next entries whose names begin with a prefix, one after the other. */
  async *bytesBelow(prefix: string): AsyncGenerator<Buffer> {
    while ((await this.peek())?.name.startsWith(prefix)) {
      const entry = await this.next();
      if (entry) yield* entry.bytes;
    }
  }

  async close(): Promise<void> {
    this.extract.destroy();
    await this.reading.catch(() => undefined);
  }

  private async read(): Promise<ArchiveEntry | undefined> {
    if (this.hasEnded) return undefined;
    try {
      if (this.current) for await (const chunk of this.current.bytes) void chunk;
      const { value, done } = (await this.entries.next()) as IteratorResult<Entry, undefined>;
      if (done) {
        await this.reading;
        throw this.unusable('it is not whole');
      }
      const { name, size = 0 } = value.header;
      if (name === endName) return await this.readEnd(value);
      this.current = { name, size, bytes: digested(value, addToDigest(this.digest, name, size)) };
      return this.current;
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw this.unusable(code === 'ENOENT' ? 'there is no such file' : message, error);
    }
  }

  private async readEnd(entry: Entry): Promise<undefined> {
    const text = (await bytesOf({ bytes: entry as AsyncIterable<Buffer> })).toString('utf8');
    const { sha256 } = JSON.parse(text) as { sha256?: string };
    if (sha256 !== this.digest.digest('hex')) throw this.unusable('its contents were changed');
    if (!(await this.entries.next()).done) throw this.unusable('it goes on behind its end');
    await this.reading;
    this.hasEnded = true;
    return undefined;
  }

  private unusable(reason: string, cause?: unknown): ConfigurationError {
    return new ConfigurationError(`${this.path} is not a usable backup: ${reason}`, { cause });
  }
}

async function* digested(entry: AsyncIterable<unknown>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    digest.update(chunk as Buffer);
    yield chunk as Buffer;
  }
}

async function bytesOf({ bytes }: Pick<ArchiveEntry, 'bytes'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
