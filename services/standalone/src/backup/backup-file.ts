import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConfigurationError } from '@quire/config';
import { ArchiveWriter } from './archive/archive-writer.js';

/** Only the user who made a backup may read it. */
const mode = 0o600;

/** The end of the names of backups in a folder. */
export const backupFileEnd = '.tar.gz';

export const backupFileName = (tenantId: string): string => `${tenantId}${backupFileEnd}`;

/** The path of a backup: `to` itself, or a file in it if it is a folder. */
export async function backupPath(to: string, tenantId: string): Promise<string> {
  const found = await stat(to).catch(() => undefined);
  return found?.isDirectory() ? join(to, backupFileName(tenantId)) : to;
}

/**
 * Writes a backup to a temporary file beside its path, and renames it when it is whole and on the disk. An earlier file
 * of the path remains until then.
 * @param path `-` is the standard output
 * @throws ConfigurationError when the file cannot be created
 */
export async function writeBackupFile<Result>(
  path: string,
  write: (archive: ArchiveWriter) => Promise<Result>,
): Promise<Result & { bytes: number }> {
  if (path === '-') return { ...(await writeTo(process.stdout, write)), bytes: 0 };
  return replaceBy(path, async (target) => ({
    ...(await writeTo(target, write)),
    bytes: target.bytesWritten,
  }));
}

/** Replaces a file by a text, in the same way. */
export function replaceFile(path: string, text: string): Promise<void> {
  return replaceBy(path, (target) => pipeline([text], target));
}

async function replaceBy<Result>(
  path: string,
  write: (target: WriteStream) => Promise<Result>,
): Promise<Result> {
  const temporary = `${path}.${randomUUID()}.part`;
  const target = createWriteStream(temporary, { flags: 'wx', mode, flush: true });
  try {
    const result = await write(target);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open') throw new ConfigurationError(`${path}: the file cannot be created (${code})`);
    throw error;
  }
}

async function writeTo<Result>(
  target: Writable,
  write: (archive: ArchiveWriter) => Promise<Result>,
): Promise<Result> {
  const archive = new ArchiveWriter(target);
  try {
    const result = await write(archive);
    await archive.finish();
    return result;
  } catch (error) {
    await archive.abort(error as Error);
    throw error;
  }
}

/** Makes a new name survive a crash of the machine. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
