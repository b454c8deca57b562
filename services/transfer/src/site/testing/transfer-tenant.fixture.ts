import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@quire/context';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { openServiceTenant } from '@quire/testing';
import { transferTables } from '../../migrations/index.js';
import type { TransferDeps } from '../../transfer-deps.js';
import { transferEntities } from '../../transfer.module.js';
import { selectOperation, type OperationRow } from '../operations/operations.repository.js';
import { objectPrefix } from '../package-files/stored-files.js';

/** Errors by the method of the store that rejects with them. */
export type StoreErrors = Map<keyof ObjectStore, Error>;

/** A tenant of the transfer service on real tables and a real store. */
export interface TransferTenant {
  ctx: Context;
  store: ObjectStore;
  /** Errors of the store that the dependencies have. */
  storeErrors: StoreErrors;
  /** Dependencies of operations. @param given those of the caller, which fakes may stand for */
  depsWith(given: { [Name in keyof TransferDeps]?: unknown }): TransferDeps;
  /** @throws Error when there is no such operation */
  operation(id: string): Promise<OperationRow>;
  /** Lets the delay after a failed step end. */
  endDelay(id: string): Promise<void>;
  /** Paths of the objects that an operation owns. */
  objects(id: string): Promise<string[]>;
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openTransferTenant(name: string): Promise<TransferTenant> {
  const { ctx, close } = await openServiceTenant(name, 'transfer', transferTables, transferEntities);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const store = await connectObjectStore({ s3: undefined, folder });
  const storeErrors: StoreErrors = new Map();
  return {
    ctx,
    store,
    storeErrors,
    depsWith: (given) =>
      ({
        store: failingStore(store, storeErrors),
        logger: { warn: () => undefined },
        wakeDispatcher: () => undefined,
        ...given,
      }) as unknown as TransferDeps,
    async operation(id) {
      const row = await selectOperation(ctx.db, { id });
      if (!row) throw new Error('There is no such operation');
      return row;
    },
    async endDelay(id) {
      await ctx.db.query('UPDATE cms_transfer.transfer_steps SET due_at = now() WHERE operation_id = $1', [
        id,
      ]);
    },
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
function failingStore(store: ObjectStore, errors: StoreErrors): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      const error = errors.get(name as keyof ObjectStore);
      if (error && name === 'list')
        return () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) });
      if (error) return () => Promise.reject(error);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
