import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { openServiceTenant, type SitePackage } from '@quire/testing';
import { transferTables } from '../../migrations/index.js';
import type { TransferDeps } from '../../transfer-deps.js';
import { transferEntities } from '../../transfer.module.js';
import { selectOperation, type OperationRow } from '../operations/operations.repository.js';
import { runOperation, type RunOutcome } from '../operations/run-operation.js';
import { objectPrefix } from '../package-files/stored-files.js';
import { createTransferImport, type CreatedImport } from './creation/create-transfer-import.js';
import { receiveManifest } from './creation/receive-manifest.js';
import { uploadTransferImportFile, type UploadedFile } from './upload/upload-transfer-import-file.js';

/** The body of a request. @param given what differs from a complete one */
export function bodyOf(bytes: Buffer | Readable, given: Partial<StreamedBody> = {}): StreamedBody {
  return {
    bytes: Buffer.isBuffer(bytes) ? Readable.from(bytes.length === 0 ? [] : [bytes]) : bytes,
    contentType: 'application/json',
    contentLength: Buffer.isBuffer(bytes) ? bytes.length : undefined,
    signal: new AbortController().signal,
    ...given,
  };
}

/** Code and details of the error of a rejected call. @throws Error when it is not rejected with a QuireError */
export async function errorOf(call: Promise<unknown>): Promise<{ code: string; details?: unknown }> {
  const error: unknown = await call.then(
    () => new Error('The call is not rejected'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof QuireError)) throw error;
  return { code: error.code, ...(error.details && { details: error.details }) };
}

/** Imports of a tenant on real tables and a real store. */
export interface SiteImports {
  ctx: Context;
  deps: TransferDeps;
  /** Errors of the store by its method. */
  storeErrors: Map<keyof ObjectStore, Error>;
  /** Ids of the operations whose copied records were discarded, once for each owner. */
  discarded: string[];
  create(content: SitePackage, idempotencyKey?: string): Promise<CreatedImport>;
  /** Creates an import. @returns its id */
  start(content: SitePackage): Promise<string>;
  upload(id: string, path: string, bytes: Buffer, given?: Partial<StreamedBody>): Promise<UploadedFile>;
  /** Uploads the files of a package, all unless they are chosen. */
  uploadAll(id: string, content: SitePackage, isChosen?: (path: string) => boolean): Promise<void>;
  operation(id: string): Promise<OperationRow | undefined>;
  /** Takes a step, at once. */
  step(id: string): Promise<RunOutcome>;
  /** Paths of the stored objects of an import. */
  objects(id: string): Promise<string[]>;
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openSiteImports(name: string): Promise<SiteImports> {
  const { ctx, close } = await openServiceTenant(name, 'transfer', transferTables, transferEntities);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const store = await connectObjectStore({ s3: undefined, folder });
  const storeErrors: SiteImports['storeErrors'] = new Map();
  const discarded: string[] = [];
  const owner = {
    call: (_: unknown, __: Context, { operationId }: { operationId: string }) => {
      discarded.push(operationId);
      return Promise.resolve({});
    },
  };
  const deps = {
    clients: { content: owner, media: owner, search: owner },
    store: failingStore(store, storeErrors),
    logger: { warn: () => undefined },
  } as unknown as TransferDeps;
  const create: SiteImports['create'] = async ({ manifestBytes }, idempotencyKey) => {
    const received = await receiveManifest(ctx, bodyOf(manifestBytes));
    return createTransferImport(ctx, deps, { received, idempotencyKey });
  };
  const upload: SiteImports['upload'] = (id, path, bytes, given) =>
    uploadTransferImportFile(ctx, deps, { id, path, body: bodyOf(bytes, given) });
  return {
    ctx,
    deps,
    storeErrors,
    discarded,
    create,
    upload,
    start: async (content) => (await create(content)).operation.id,
    async uploadAll(id, { files }, isChosen = () => true) {
      for (const [path, bytes] of files) if (isChosen(path)) await upload(id, path, bytes);
    },
    operation: (id) => selectOperation(ctx.db, { id }),
    step: (id) => runOperation(ctx, deps, id, () => true),
    async objects(id) {
      const prefix = objectPrefix(ctx, id);
      const paths: string[] = [];
      for await (const { key } of store.list(prefix)) paths.push(key.slice(prefix.length));
      return paths;
    },
    async close() {
      await close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The store, whose methods reject with the errors that are set. */
function failingStore(store: ObjectStore, errors: ReadonlyMap<keyof ObjectStore, Error>): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      const error = errors.get(name as keyof ObjectStore);
      if (error) return () => Promise.reject(error);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
