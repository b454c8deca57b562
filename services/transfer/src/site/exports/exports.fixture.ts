import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import {
  authApi,
  listSiteMediaFiles,
  recordOwners,
  siteRecords,
  type InternalOperation,
  type RecordOwner,
} from '@quire/internal-api';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { sha256Of, type RecordKind } from '@quire/site-package';
import { openServiceTenant } from '@quire/testing';
import { transferTables } from '../../migrations/index.js';
import type { TransferDeps } from '../../transfer-deps.js';
import { transferEntities } from '../../transfer.module.js';
import { selectOperation, type OperationRow } from '../operations/operations.repository.js';
import { runOperation, type RunOutcome } from '../operations/run-operation.js';
import { transferSteps } from '../operations/transfer-steps.repository.js';
import { selectFiles, type PackageFileRow } from '../package-files/package-files.repository.js';
import { objectPrefix } from '../package-files/stored-files.js';
import { createTransferExport } from './create-transfer-export.js';

type Copies = Partial<Record<RecordKind, readonly object[]>>;
type StoreMethod = 'put' | 'get' | 'stat' | 'list' | 'delete';

const entries = Array.from({ length: 5_100 }, (_, index) => ({
  collection: 'posts',
  id: `e${index + 10_000}`,
}));
const user = { id: 'u1', name: 'Ada', email: 'ada@example.com' };

/** The services that own records, in memory: a small site with two files of entries and one media item. */
export class FakeOwners {
  readonly records: Record<RecordOwner, Copies> = {
    content: {
      principals: [{ id: user.id }],
      settings: [{ key: 'title', value: 'Site' }],
      collections: [{ slug: 'posts' }],
      entries,
    },
    media: { media_items: [{ id: 'm1' }] },
    search: { search_collections: [{ collection: 'posts' }] },
  };
  /** Copies by owner and operation. */
  readonly copies = new Map<string, Copies>();
  /** Ids of copies whose media files are kept. */
  readonly keptFiles = new Set<string>();
  readonly mediaFiles: { sha256: string; objectKey: string; bytes: number }[] = [];
  /** Called before a call is answered: it may throw. */
  beforeCall: (operation: InternalOperation) => Promise<void> | void = () => undefined;
  /** Number of copies that were made of the content. */
  stagings = 0;

  clientOf(owner: RecordOwner | 'auth') {
    return {
      call: async (operation: InternalOperation, _ctx: Context, input: Record<string, unknown>) => {
        await this.beforeCall(operation);
        if (owner === 'auth') return this.answerAsAuth(operation);
        return this.answerAs(owner, operation, input);
      },
    };
  }

  private answerAsAuth({ id }: InternalOperation): unknown {
    if (id !== authApi.usersByIds.id) throw new Error(`${id} is not planned`);
    return { items: [user] };
  }

  private answerAs(owner: RecordOwner, { id }: InternalOperation, input: Record<string, unknown>): unknown {
    const key = `${owner} ${String(input.operationId)}`;
    switch (id) {
      case siteRecords[owner].stage.id: {
        if (owner === 'content') this.stagings += 1;
        this.copies.set(key, this.records[owner]);
        if (owner === 'media') this.keptFiles.add(String(input.operationId));
        const { principals: _, ...counted } = this.records[owner];
        return {
          counts: Object.fromEntries(
            Object.entries(counted).map(([kind, records]) => [kind, records.length]),
          ),
        };
      }
      case siteRecords[owner].read.id: {
        const { kind, after, maxRecords } = input as { kind: RecordKind; after: number; maxRecords: number };
        const lines = (this.copies.get(key)?.[kind] ?? [])
          .slice(after, after + maxRecords)
          .map((record) => JSON.stringify(record));
        return { lines, last: after + lines.length };
      }
      case siteRecords[owner].discard.id:
        this.copies.delete(key);
        if (owner === 'media' && input.keepsFiles !== true) this.keptFiles.delete(String(input.operationId));
        return {};
      case listSiteMediaFiles.id:
        return { items: this.mediaFiles.filter(({ sha256 }) => sha256 > String(input.after)) };
      default:
        throw new Error(`${id} is not planned`);
    }
  }
}

/** Exports of a tenant on real tables and a real store, with fake services. */
export interface SiteExports {
  ctx: Context;
  deps: TransferDeps;
  owners: FakeOwners;
  /** Errors of the store by its method. */
  storeErrors: Map<StoreMethod, Error>;
  start(): Promise<string>;
  /** Takes one step, at once, also after a failed one. */
  step(id: string): Promise<RunOutcome>;
  /** Lets the delay after a failed step end. */
  endDelay(id: string): Promise<unknown>;
  /** Takes steps until the export has ended. */
  finish(id: string): Promise<OperationRow>;
  operation(id: string): Promise<OperationRow>;
  /** Ends the lease of the process that takes the steps. */
  endLease(id: string): Promise<unknown>;
  /** Lets another process take over the steps. */
  takeOver(id: string): Promise<void>;
  /** All files of the package but the manifest. */
  files(id: string): Promise<PackageFileRow[]>;
  /** Keys of the objects that the export owns. */
  objects(id: string): Promise<string[]>;
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openSiteExports(name: string): Promise<SiteExports> {
  const tenant = await openServiceTenant(name, 'transfer', transferTables, transferEntities);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const folderStore = await connectObjectStore({ s3: undefined, folder });
  const storeErrors = new Map<StoreMethod, Error>();
  const store = failingStore(folderStore, storeErrors);
  const owners = new FakeOwners();
  const image = Buffer.from('bytes of an image');
  const objectKey = `${name}/image`;
  owners.mediaFiles.push({ sha256: sha256Of(image), objectKey, bytes: image.length });
  await folderStore.put(objectKey, Readable.from([image]), { contentType: 'image/png' });
  const clients = Object.fromEntries(
    [...recordOwners, 'auth' as const].map((owner) => [owner, owners.clientOf(owner)]),
  );
  const logger = { warn: () => undefined };
  const options = { version: '1' };
  const deps = {
    clients,
    store,
    logger,
    wakeDispatcher: () => undefined,
    options,
  } as unknown as TransferDeps;
  const { ctx } = tenant;
  const operation = async (id: string) => {
    const row = await selectOperation(ctx.db, { id });
    if (!row) throw new Error('There is no such export');
    return row;
  };
  const endLease = (id: string) =>
    ctx.db.query(
      "UPDATE cms_transfer.transfer_steps SET lease_expires_at = now() - interval '1 second' WHERE operation_id = $1",
      [id],
    );
  const endDelay = (id: string) =>
    ctx.db.query('UPDATE cms_transfer.transfer_steps SET due_at = now() WHERE operation_id = $1', [id]);
  const step = async (id: string) => {
    await endDelay(id);
    return runOperation(ctx, deps, id, () => true);
  };
  return {
    ctx,
    deps,
    owners,
    storeErrors,
    operation,
    step,
    endDelay,
    start: async () => (await createTransferExport(ctx, deps, { options: { comments: true } })).operation.id,
    async finish(id) {
      for (let steps = 0; steps < 200; steps += 1) {
        const row = await operation(id);
        if (!['pending', 'running'].includes(row.state)) return row;
        await step(id);
      }
      throw new Error('The export does not end');
    },
    endLease: (operationId) => endLease(operationId),
    async takeOver(operationId) {
      const key = { tenantId: name, operationId };
      await endLease(operationId);
      if (!(await transferSteps.claimByKey(ctx.db, key))) throw new Error('It cannot be leased');
    },
    files: (id) => selectFiles(ctx.db, id, { after: 0, limit: 100 }),
    async objects(id) {
      const keys: string[] = [];
      for await (const { key } of folderStore.list(objectPrefix(ctx, id))) keys.push(key);
      return keys;
    },
    async close() {
      await tenant.close();
      await folderStore.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The store, whose methods throw the errors that are set. */
function failingStore(store: ObjectStore, errors: ReadonlyMap<StoreMethod, Error>): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      const error = errors.get(name as StoreMethod);
      if (error && name === 'list')
        return () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) });
      if (error) return () => Promise.reject(error);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
