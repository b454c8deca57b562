import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { manifestPath, packageFileAt, packageLimits } from '@quire/site-package';
import { extract, type Header } from 'tar-stream';
import { CommandError, hasCode, messageOf } from '../command-error.js';

/** A file of an archive: where its bytes are. */
export interface ArchiveEntry {
  path: string;
  /** Of the first byte, in the archive. */
  offset: number;
  bytes: number;
}

/** `byteOffset` is the place of the first byte; the types of the library lack it. */
interface Entry {
  header: Header & { byteOffset: number };
  resume(): unknown;
}

const chunkBytes = 1024 * 1024;

/**
 * The files of an archive in its order. Only their places are kept: bytes are read when they are uploaded.
 * @throws CommandError without the file, and for an archive that is not a package; the reason of the signal
 */
export async function* readEntries(path: string, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const archive = extract();
  const reading = pipeline(createReadStream(path, { highWaterMark: chunkBytes }), archive, { signal });
  // A failure is reported by the entries.
  reading.catch(() => undefined);
  try {
    for await (const entry of archive as unknown as AsyncIterable<Entry>) {
      yield placeOf(entry);
      entry.resume();
    }
    await reading;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CommandError) throw error;
    if (hasCode(error, 'ENOENT')) throw new CommandError(`There is no file ${path}`, { cause: error });
    throw notAPackage(path, messageOf(error));
  }
}

/**
 * The bytes of `manifest.json`, which is the first file of an archive.
 * @throws CommandError for a file that is not the archive of a package
 */
export async function readManifest(path: string, signal: AbortSignal): Promise<Buffer> {
  for await (const entry of readEntries(path, signal)) {
    if (entry.path !== manifestPath) break;
    if (entry.bytes > packageLimits.manifestBytes) throw notAPackage(path, 'its manifest.json is too large');
    return readBytes(path, entry);
  }
  throw notAPackage(path, 'its first file is not manifest.json');
}

/** The bytes of a small file of the archive. */
async function readBytes(path: string, { offset, bytes }: ArchiveEntry): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer;
  } finally {
    await file.close();
  }
}

function placeOf({ header: { name, type, size = 0, byteOffset } }: Entry): ArchiveEntry {
  if (type !== 'file' || (name !== manifestPath && !packageFileAt(name)))
    throw new CommandError(`The archive is not a package of a site: it has '${name}'`);
  return { path: name, offset: byteOffset, bytes: size };
}

function notAPackage(path: string, reason: string): CommandError {
  return new CommandError(`${path} is not a package of a site: ${reason}`);
}
