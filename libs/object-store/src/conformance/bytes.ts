import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, ObjectStore, PutOptions } from '../port/object-store.js';

export const source = (text: string | Buffer) => Readable.from(text.length === 0 ? [] : [Buffer.from(text)]);

/** Many bytes without repetition, generated while they are read. */
export function* manyBytes(total: number, chunkSize = 64 * 1024): Generator<Buffer> {
  for (let position = 0; position < total; position += chunkSize) {
    const chunk = Buffer.alloc(Math.min(chunkSize, total - position), 'the same in every chunk. ');
    chunk.write(String(position).padStart(16, '0'));
    yield chunk;
  }
}

/** A source that returns some chunks and then fails, or waits for an abort. */
export async function* failingSource(
  chunks: Iterable<Buffer>,
  end: 'fails' | 'stalls',
): AsyncGenerator<Buffer> {
  yield* chunks;
  if (end === 'fails') throw new Error('the client went away');
  await new Promise(() => undefined);
}

export const put = (store: ObjectStore, key: string, text: string | Buffer, more: Partial<PutOptions> = {}) =>
  store.put(key, source(text), { contentType: 'text/plain', ...more });

/** The bytes at a key as text; undefined when there is no object. */
export async function read(store: ObjectStore, key: string, range?: ByteRange): Promise<string | undefined> {
  const opened = await store.get(key, range);
  return opened && (await buffer(opened.bytes)).toString();
}

export async function digest(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

export async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** Bytes of buffers in use; garbage that is not collected yet does not count. */
export function buffersInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

/** Stores a small object at each key, several at once. */
export async function putAll(store: ObjectStore, keys: readonly string[]): Promise<void> {
  const left = [...keys];
  const putEach = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await put(store, next, 'x');
  };
  await Promise.all(Array.from({ length: 16 }, putEach));
}
