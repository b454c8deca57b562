import { constants, type Stats } from 'node:fs';
import { access, open, readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sizeLimitStream } from '../port/size-limit-stream.js';
import { parseKey, parsePrefix } from '../port/object-keys.js';
import { ObjectNotFound } from '../port/object-store-errors.js';
import type { ByteRange, ObjectStore, OpenedObject, PutOptions, StoredObject } from '../port/object-store.js';
import type { Readable } from 'node:stream';
import { throwStoreError, undefinedIfMissing } from './file-errors.js';
import { nameOfFile, objectPath, tenantFolder } from './object-paths.js';
import { AtomicFiles } from './atomic-files.js';

/** Opens the folder, and creates it if it is missing. @throws ObjectStoreUnavailable when that fails */
export async function createLocalStore({ folder }: { folder: string }): Promise<ObjectStore> {
  const root = resolve(folder);
  const files = new AtomicFiles(root);
  await files.prepare().catch(throwStoreError);
  return new LocalStore(root, files);
}

/** Objects as files of a folder to which only processes of the installation write. */
class LocalStore implements ObjectStore {
  readonly kind = 'local';

  constructor(
    private readonly root: string,
    private readonly files: AtomicFiles,
  ) {}

  async put(key: string, source: Readable, { signal, ...limits }: PutOptions): Promise<{ size: number }> {
    const path = this.path(key);
    signal?.throwIfAborted();
    const { bytes, size, failure } = sizeLimitStream(source, limits);
    try {
      await this.files.write(path, bytes, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw failure() ?? throwStoreError(error);
    } finally {
      bytes.destroy();
    }
    return { size: size() };
  }

  async get(key: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    const handle = await open(this.path(key), 'r').catch(undefinedIfMissing);
    if (!handle) return undefined;
    try {
      const { size, mtime } = await handle.stat();
      if (range && !isWithin(range, size)) throw new RangeError(`The object has ${size} bytes`);
      // An empty file has no last byte; without `end` the stream reads nothing.
      return { bytes: handle.createReadStream({ ...range }), size, modifiedAt: mtime };
    } catch (error) {
      await handle.close();
      return throwStoreError(error);
    }
  }

  async stat(key: string): Promise<StoredObject | undefined> {
    const found = await stat(this.path(key)).catch(undefinedIfMissing);
    return found && describe(key, found);
  }

  async copy(from: string, to: string): Promise<void> {
    const [source, target] = [this.path(from), this.path(to)];
    await this.files.copy(source, target).catch(async (error: unknown) => {
      if (!(await this.stat(from))) throw new ObjectNotFound(from);
      throwStoreError(error);
    });
  }

  async delete(key: string): Promise<void> {
    await this.files.remove(this.path(key)).catch(throwStoreError);
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    const paths = keys.map((key) => this.path(key));
    await this.files.removeAll(paths).catch(throwStoreError);
  }

  /** Loads the names of the prefix into memory, to sort them. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const { tenant, name: namePrefix } = parsePrefix(prefix);
    const names = await namesBelow(tenantFolder(this.root, tenant)).catch(throwStoreError);
    for (const name of names.filter((each) => each.startsWith(namePrefix)).sort()) {
      const found = await this.stat(`${tenant}/${name}`);
      if (found) yield found;
    }
  }

  /** Clients cannot upload to a folder. */
  async signUpload(key: string): Promise<undefined> {
    parseKey(key);
  }

  async ping(): Promise<void> {
    await access(this.root, constants.R_OK | constants.W_OK | constants.X_OK).catch(throwStoreError);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private path(key: string): string {
    return objectPath(this.root, parseKey(key));
  }
}

function describe(key: string, { size, mtime }: Stats): StoredObject {
  return { key, size, modifiedAt: mtime };
}

function isWithin({ start, end }: ByteRange, size: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end < size;
}

async function namesBelow(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const part of (await readdir(folder).catch(undefinedIfMissing)) ?? [])
    names.push(...(await readdir(`${folder}/${part}`)).map(nameOfFile));
  return names;
}
