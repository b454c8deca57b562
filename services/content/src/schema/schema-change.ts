import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { CacheInvalidationBus } from '@quire/jobs';
import { publishCollectionChange } from '../integration/change-subscriptions/index.js';
import {
  bumpCollection,
  bumpReferringCollections,
  selectCollection,
  setLockTimeout,
  type StoredCollection,
} from './collections/collections.repository.js';
import { collectionNotFound } from './definitions/collection-definition.js';
import { Definitions } from './definitions/definitions.js';
import { contentTableName, lockTable } from './tables/content-table.repository.js';

/** Long enough for running writes, short enough not to pile up requests behind a schema change. */
const lockTimeoutMs = 5_000;
const maxAttempts = 3;

/** A collection that a change has locked: until the commit no other transaction changes it or writes its entries. */
export interface LockedCollection {
  tx: Transaction;
  collection: StoredCollection;
  table: string;
}

interface TableLockOptions {
  /** How long to wait for each lock. */
  maxWaitMs?: number | undefined;
  /** False for a change that is not a user's: the collection keeps the time of its last change. */
  isUpdate?: boolean;
}

type Change<Result> = (locked: LockedCollection) => Promise<Result>;

/** Runs changes of the schema, each in one transaction with its DDL, and invalidates definitions in every process. */
@Injectable()
export class SchemaChanges {
  constructor(
    private readonly definitions: Definitions,
    private readonly relay: CacheInvalidationBus,
  ) {}

  /**
   * Runs a change. A deadlock with writers is retried.
   * @param maxWaitMs how long a statement waits for a lock
   * @throws QuireError SERVICE_UNAVAILABLE when writers do not finish in time, and what `change` throws.
   */
  async run<Result>(
    ctx: Context,
    change: (tx: Transaction) => Promise<Result>,
    maxWaitMs = lockTimeoutMs,
  ): Promise<Result> {
    const tenantId = ctx.principal.tenant.id;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await ctx.db.transaction(async (tx) => {
          await setLockTimeout(tx, maxWaitMs);
          return change(tx);
        });
        this.definitions.invalidate(tenantId);
        this.relay.invalidate('schema', tenantId);
        return result;
      } catch (error) {
        if (hasSqlState(error, sqlState.deadlock) && attempt < maxAttempts) continue;
        if (!hasSqlState(error, sqlState.lockNotAvailable, sqlState.deadlock)) throw error;
        throw new QuireError('SERVICE_UNAVAILABLE', 'The collection is in use. Retry later.', {
          retryAfterSeconds: 1,
          cause: error,
        });
      }
    }
  }

  /**
   * Changes a collection while its entries are locked against writes. It gets a new version, so that writes which were
   * checked by the former rules are checked again.
   * @throws QuireError COLLECTION_NOT_FOUND, and what `change` throws.
   */
  withCollectionLock<Result>(ctx: Context, slug: string, change: Change<Result>): Promise<Result> {
    return this.withLock(ctx, slug, change, { lock: 'SHARE ROW EXCLUSIVE' });
  }

  /**
   * Changes a collection whose table is altered or dropped: its entries are locked against reads too. Taken after the
   * weaker lock, this one would deadlock with a reader that goes on to write.
   * @throws QuireError COLLECTION_NOT_FOUND, and what `change` throws.
   */
  withTableLock<Result>(
    ctx: Context,
    slug: string,
    change: Change<Result>,
    options: TableLockOptions = {},
  ): Promise<Result> {
    return this.withLock(ctx, slug, change, { lock: 'ACCESS EXCLUSIVE', ...options });
  }

  private withLock<Result>(
    ctx: Context,
    slug: string,
    change: Change<Result>,
    options: TableLockOptions & { lock: 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE' },
  ): Promise<Result> {
    const { lock, maxWaitMs, isUpdate = true } = options;
    const lockAndChange = async (tx: Transaction) => {
      const locked = await selectCollection(tx, slug, { lock: 'FOR UPDATE' });
      if (!locked) throw collectionNotFound(slug);
      const table = contentTableName(slug);
      await lockTable(tx, table, lock);
      const collection = (await bumpCollection(tx, locked.id, isUpdate)) ?? locked;
      await bumpReferringCollections(tx, collection);
      const result = await change({ tx, collection, table });
      const deleted = !(await selectCollection(tx, slug));
      const published = { tenantId: ctx.principal.tenant.id, id: collection.id, slug };
      await publishCollectionChange(tx, published, { deleted });
      return result;
    };
    return this.run(ctx, lockAndChange, maxWaitMs);
  }
}
