import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import type { ByteRange, ObjectStore } from '@quire/object-store';
import type { OperationRow } from '../operations/operations.repository.js';
import {
  selectArchiveSize,
  selectFilesFrom,
  type PlacedFile,
} from '../package-files/package-files.repository.js';
import { openFile } from '../package-files/stored-files.js';
import { endBytes, headerOf, paddingOf } from './archive-layout.js';

const filesPerPage = 500;

/** Size of the tar archive with all files of an operation, in bytes. */
export async function archiveSize(ctx: Context, operationId: string): Promise<number> {
  return (await selectArchiveSize(ctx.db, operationId)) + endBytes;
}

/**
 * The bytes of the archive, or a part of them. They are the same at every request: names, sizes and times follow from
 * the operation.
 */
export function readArchive(
  ctx: Context,
  store: ObjectStore,
  { id, createdAt }: Pick<OperationRow, 'id' | 'createdAt'>,
  range: ByteRange,
): Readable {
  const parts = cut(archiveParts(ctx, store, { id, createdAt: new Date(createdAt) }, range.start), range);
  return Readable.from(parts, { objectMode: false });
}

/** A part of the archive. Only parts within the range are opened. */
interface Part {
  /** Place of its first byte in the archive. */
  start: number;
  bytes: number;
  open: (range: ByteRange) => Promise<AsyncIterable<Buffer>>;
}

/** The parts from the file that holds a byte on. */
async function* archiveParts(
  ctx: Context,
  store: ObjectStore,
  { id, createdAt }: { id: string; createdAt: Date },
  from: number,
): AsyncGenerator<Part> {
  let end = 0;
  for (let page = await firstPage(); page.length > 0; page = await nextPage(page)) {
    for (const file of page) {
      const header = await headerOf(file, createdAt);
      yield bufferPart(file.start, header);
      const start = file.start + header.length;
      yield { start, bytes: file.bytes, open: (range) => openFile(store, file, range) };
      const padding = Buffer.alloc(paddingOf(file.bytes));
      yield bufferPart(start + file.bytes, padding);
      end = start + file.bytes + padding.length;
    }
  }
  yield bufferPart(end === 0 ? await selectArchiveSize(ctx.db, id) : end, Buffer.alloc(endBytes));

  function firstPage(): Promise<PlacedFile[]> {
    return selectFilesFrom(ctx.db, id, { from, after: -1, start: 0, limit: filesPerPage });
  }

  function nextPage(page: readonly PlacedFile[]): Promise<PlacedFile[]> {
    const last = page.at(-1);
    return selectFilesFrom(ctx.db, id, {
      from: 0,
      after: last?.position ?? -1,
      start: end,
      limit: filesPerPage,
    });
  }
}

function bufferPart(start: number, buffer: Buffer): Part {
  return {
    start,
    bytes: buffer.length,
    open: ({ start: from, end }) => Promise.resolve(Readable.from([buffer.subarray(from, end + 1)])),
  };
}

/** The bytes of a range of the archive. */
async function* cut(parts: AsyncIterable<Part>, range: ByteRange): AsyncGenerator<Buffer> {
  for await (const { start, bytes, open } of parts) {
    if (start > range.end) return;
    const from = Math.max(range.start - start, 0);
    const end = Math.min(range.end - start, bytes - 1);
    if (from <= end) yield* await open({ start: from, end });
  }
}
