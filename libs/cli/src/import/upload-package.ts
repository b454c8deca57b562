import { createReadStream } from 'node:fs';
import { packageFileAt } from '@quire/site-package';
import { z } from 'zod';
import { CommandError } from '../command-error.js';
import { progressOfBytes } from '../export/byte-progress.js';
import { Retries } from '../http/retries.js';
import { readEntries, type ArchiveEntry } from './archive-entries.js';
import { missingResponse } from './import-api.js';
import { importPath, type ImportDeps } from './import-deps.js';

const concurrentUploads = 4;
/** Of one file: media files may be large. */
const uploadTimeoutMs = 3_600_000;

/** Files that the site does not have yet, by path, with their bytes. */
type MissingFiles = Map<string, number>;

/**
 * Uploads the files of a package that the site does not have: first the index, which names the others.
 * @param upload.file the archive
 * @throws CommandError for an archive without one of the files; SiteError for one with other bytes; ConnectionError
 */
export async function uploadPackage(
  deps: ImportDeps,
  { id, file }: { id: string; file: string },
): Promise<void> {
  let missing = await listMissing(deps, id);
  while (missing.size > 0) {
    await uploadPass(deps, { id, file, missing });
    const left = await listMissing(deps, id);
    const lacking = [...missing.keys()].find((path) => left.has(path));
    if (lacking !== undefined) throw new CommandError(`${file} is not whole: it lacks ${lacking}`);
    missing = left;
  }
}

async function listMissing({ api, sleep, signal }: ImportDeps, id: string): Promise<MissingFiles> {
  const missing: MissingFiles = new Map();
  const retries = new Retries(sleep, signal);
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const query: string = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) }).toString();
    try {
      const page = await api.call(`${importPath(id, 'missing')}?${query}`, missingResponse, { signal });
      for (const { path, bytes } of page.items) missing.set(path, bytes);
      cursor = page.nextCursor;
    } catch (error) {
      await retries.waitAfter(error);
    }
  }
  return missing;
}

/** Uploads what is missing, several files at a time, in the order of the archive. */
async function uploadPass(
  deps: ImportDeps,
  { id, file, missing }: { id: string; file: string; missing: MissingFiles },
): Promise<void> {
  const total = [...missing.values()].reduce((sum, bytes) => sum + bytes, 0);
  // Files of the index are small and name the others: their pass has no progress of its own.
  const phase = [...missing.keys()].every((path) => packageFileAt(path)?.type === 'index')
    ? 'index'
    : 'upload';
  let current = 0;
  const running = new Set<Promise<void>>();
  const upload = async (entry: ArchiveEntry) => {
    await uploadFile(deps, { id, file, entry });
    current += entry.bytes;
    deps.output.progress(phase, progressOfBytes({ current, total }));
  };
  try {
    for await (const entry of readEntries(file, deps.signal)) {
      if (!missing.has(entry.path)) continue;
      const uploading = upload(entry).finally(() => running.delete(uploading));
      running.add(uploading);
      if (running.size >= concurrentUploads) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}

async function uploadFile(
  { api, sleep, signal }: ImportDeps,
  { id, file, entry }: { id: string; file: string; entry: ArchiveEntry },
): Promise<void> {
  const { path, offset, bytes } = entry;
  const retries = new Retries(sleep, signal);
  for (;;) {
    try {
      await api.call(importPath(id, `files/${path}`), z.unknown(), {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
        body: () =>
          bytes === 0 ? Buffer.alloc(0) : createReadStream(file, { start: offset, end: offset + bytes - 1 }),
        timeoutMs: uploadTimeoutMs,
        signal,
      });
      return;
    } catch (error) {
      await retries.waitAfter(error);
    }
  }
}
