import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unfinishedFolder } from './object-paths.js';

const privateFolder = 0o700;
const privateFile = 0o600;
/** Operations on files that run at once: as many as libuv has threads by default would leave none for others. */
const maxParallel = 3;
const staleAfterMs = 24 * 60 * 60 * 1000;

/**
 * Files that appear whole or not at all: each is written under a temporary name in the same file system, flushed to the
 * disk, and only then renamed. Only their owner reads them.
 */
export class AtomicFiles {
  private readonly unfinished: string;

  constructor(private readonly root: string) {
    this.unfinished = join(root, unfinishedFolder);
  }

  /** Creates the folders, and removes unfinished files that are at least a day old: their process died. */
  async prepare(): Promise<void> {
    await mkdir(this.unfinished, { recursive: true, mode: privateFolder });
    const before = Date.now() - staleAfterMs;
    for (const file of await readdir(this.unfinished)) {
      const path = join(this.unfinished, file);
      const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Infinity };
      if (mtimeMs < before) await rm(path, { force: true });
    }
  }

  /** Writes a file. @throws the error of the source or of the file system; then nothing remains */
  write(path: string, source: Readable, signal: AbortSignal | undefined): Promise<void> {
    return this.place(path, (unfinished) => {
      const file = createWriteStream(unfinished, { flags: 'wx', mode: privateFile, flush: true });
      return pipeline(source, file, { signal });
    });
  }

  /** Copies a file. Where the file system supports it, the copy shares the bytes of its source. */
  copy(from: string, to: string): Promise<void> {
    return this.place(to, async (unfinished) => {
      await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
      await chmod(unfinished, privateFile);
      await flush(unfinished);
    });
  }

  /** Moves a file into place that `fill` creates, fills and flushes; when that fails, nothing remains. */
  private async place(path: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
    const unfinished = join(this.unfinished, randomUUID());
    try {
      await fill(unfinished);
      await rename(unfinished, path).catch(async (error: NodeJS.ErrnoException) => {
        ignoreMissing(error);
        await this.makeFolder(dirname(path));
        await rename(unfinished, path);
      });
      await flush(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Removes a file, if there is one. */
  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
    await flush(dirname(path)).catch(ignoreMissing);
  }

  /** Removes files, where they exist. Each of their folders is flushed once. */
  async removeAll(paths: readonly string[]): Promise<void> {
    await inParallel(paths, (path) => rm(path, { force: true }));
    const folders = [...new Set(paths.map((path) => dirname(path)))];
    await inParallel(folders, (folder) => flush(folder).catch(ignoreMissing));
  }

  private async makeFolder(folder: string): Promise<void> {
    const isNew = (await mkdir(folder, { recursive: true, mode: privateFolder })) !== undefined;
    if (!isNew) return;
    for (let parent = dirname(folder); parent.startsWith(this.root); parent = dirname(parent))
      await flush(parent);
  }
}

/** Runs work for each of many paths, a few of them at once. @throws the first error, after which none is started */
async function inParallel(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const left = [...paths];
  const takeAll = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await work(path);
  };
  await Promise.all(
    Array.from({ length: maxParallel }, () =>
      takeAll().catch((error: unknown) => {
        left.length = 0;
        throw error;
      }),
    ),
  );
}

/** Waits until a file, or the entries of a folder, are on the disk and survive a power failure. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
