import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ObjectStoreUnavailable, ObjectTooLarge, type ObjectStore } from '@quire/object-store';
import type { TransferDeps } from '../../transfer-deps.js';

const retryAfterSeconds = 5;

/** Key of the file of an import in the object store. */
export const exportFileKey = ({ principal }: Context, importId: string): string =>
  `${principal.tenant.id}/imports/${importId}`;

/**
 * Yields bytes to a reader while it stores them: a reader that stops, or that is slow, stops or slows the store.
 * @param take reads the bytes to their end
 * @returns the result of `take`
 * @throws QuireError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE; ObjectStoreFull; the errors of `take` and `bytes`
 */
export async function storeWhileReading<Result>(
  store: ObjectStore,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, take }: { maxBytes: number; take: (bytes: AsyncIterable<Uint8Array>) => Promise<Result> },
): Promise<Result> {
  const copy = new PassThrough();
  // A store that fails before it reads has no listener: the error must not end the process.
  copy.on('error', () => undefined);
  const stored = store.put(key, copy, { contentType: 'application/xml', maxBytes });
  stored.catch((error: unknown) => copy.destroy(error as Error));
  try {
    const result = await take(teed(bytes, copy));
    copy.end();
    await stored;
    return result;
  } catch (error) {
    copy.destroy(error as Error);
    await stored.catch(() => undefined);
    throw storeError(error, maxBytes);
  }
}

async function* teed(bytes: AsyncIterable<Uint8Array>, copy: PassThrough): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (!copy.write(chunk)) await drained(copy);
    yield chunk;
  }
}

async function drained(copy: PassThrough): Promise<void> {
  if (copy.destroyed) throw copy.errored ?? new Error('The store has stopped');
  const stopped = new AbortController();
  try {
    await Promise.race([
      new Promise<void>((resolve) => copy.once('drain', resolve)),
      finished(copy, { signal: stopped.signal }),
    ]);
  } finally {
    stopped.abort();
  }
}

/** Reads a part of the stored file. @throws QuireError SERVICE_UNAVAILABLE, IMPORT_ERROR when it is gone */
export async function readRange(
  store: ObjectStore,
  key: string,
  { offset, length }: { offset: number; length: number },
): Promise<Buffer> {
  const opened = await store
    .get(key, { start: offset, end: offset + length - 1 })
    .catch((error: unknown) => Promise.reject(storeError(error, 0)));
  if (!opened) throw new QuireError('IMPORT_ERROR', 'The stored file of the import has been deleted');
  const chunks: Buffer[] = [];
  for await (const chunk of opened.bytes as Readable & AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Deletes the file of an import that needs it no more. A file that cannot be deleted is logged. */
export async function deleteExportFile(
  { store, logger }: TransferDeps,
  { id, fileKey }: { id: string; fileKey: string },
): Promise<void> {
  await store.delete(fileKey).catch((error: unknown) => {
    logger.warn({ importId: id, err: error }, 'file of an import not deleted');
  });
}

/** The errors of the API for errors of the store; others are returned unchanged. */
export function storeError(error: unknown, maxBytes: number): unknown {
  if (error instanceof ObjectTooLarge)
    return new QuireError('PAYLOAD_TOO_LARGE', `A file may have at most ${maxBytes} bytes`);
  if (error instanceof ObjectStoreUnavailable)
    return new QuireError('SERVICE_UNAVAILABLE', 'The file storage is unavailable; retry later', {
      retryAfterSeconds,
      cause: error,
    });
  return error;
}
