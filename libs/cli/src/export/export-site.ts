import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError, hasCode, messageOf } from '../command-error.js';
import { isTransient } from '../http/retries.js';
import { withFileLock, type HeldLock } from '../sites/file-lock.js';
import { downloadArchive } from './download-archive.js';
import { completeExport, type ExportDeps } from './follow-export.js';
import { PartialExport } from './partial-export.js';
import { verifyArchive } from './verify-archive.js';

export interface ExportOptions {
  /** Where the archive is written. */
  file: string;
  comments: boolean;
  /** Whether an existing file is replaced. */
  force: boolean;
}

/**
 * Exports a site into a file: starts the export, takes its steps, downloads the archive and verifies it. After any
 * failure the same call continues. One process at a time exports into a file.
 * @throws CommandError, for example while another process exports into the file
 */
export async function exportSite(deps: ExportDeps, options: ExportOptions): Promise<void> {
  const { file, force } = options;
  const { signal } = deps;
  await assertWritable(file, force);
  const heldError = () =>
    new CommandError(`Another command is exporting into ${file}: wait for its end, or name another file`);
  await withFileLock(
    `${file}.part.lock`,
    (lock) => exportWithLock({ ...deps, signal: AbortSignal.any([signal, lock.signal]) }, options, lock),
    { heldError, signal },
  );
}

async function exportWithLock(
  deps: ExportDeps,
  { file, comments, force }: ExportOptions,
  lock: HeldLock,
): Promise<void> {
  const { api, output, signal } = deps;
  // Another command may have written the file while this one waited for the lock.
  await assertWritable(file, force);
  const partial = await PartialExport.open(file, { site: api.origin, comments });
  const { id, packageDigest } = await completeExport(deps, partial).catch(async (error: unknown) => {
    const mayHaveStarted = partial.state.exportId !== null || signal.aborted || isTransient(error);
    if (!mayHaveStarted) await partial.discard();
    throw error;
  });
  await downloadArchive(deps, id, partial);
  const bytes = await partial.bytes();
  const summary = await verifyArchive(partial.path, { packageDigest, output, signal }).catch(
    async (error: unknown) => {
      if (!signal.aborted) await partial.restartDownload();
      throw error;
    },
  );
  await assertWritable(file, force);
  await lock.assertHeld();
  await partial.complete();
  const { records, media } = summary;
  output.result({ site: api.origin, file, bytes, exportId: id, ...summary }, [
    `${file}: ${records} records, ${media.count} media files, ${bytes} bytes`,
    packageDigest,
  ]);
}

/** @throws CommandError without the folder of the file, and for a file that exists and is not to be replaced */
async function assertWritable(file: string, force: boolean): Promise<void> {
  const folder = dirname(file);
  if ((await typeOf(folder)) !== 'folder') throw new CommandError(`There is no folder ${folder}`);
  const type = await typeOf(file);
  if (type === 'folder') throw new CommandError(`${file} is a folder: name a file`);
  if (type === 'file' && !force)
    throw new CommandError(`${file} exists: name another file, or replace it with --force`);
}

async function typeOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
