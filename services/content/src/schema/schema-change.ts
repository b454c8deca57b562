import { Inject, Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { hasSqlState, identifier, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { CacheInvalidationBus } from '@quire/messages';
import { publishCollectionChange } from '../integration/change-subscriptions/index.js';
import { Collection } from './collections/collection.entity.js';
import { collectionNotFound } from './definitions/collection-not-found.js';
import { Definitions } from './definitions/definitions.js';
import { Field } from './fields/field.entity.js';
import { contentTableName } from './tables/content-table.js';

/** Long enough for writes that are under way, short enough not to pile up requests behind a schema change. */
const lockTimeoutMs = 5_000;
const maxAttempts = 3;

/** A collection that a change holds: nobody else changes it, and nobody writes entries of it, until the commit. */
export interface LockedCollection {
  tx: Transaction;
  collection: Collection;
  table: string;
}

type Change<Result> = (locked: LockedCollection) => Promise<Result>;

/** Makes changes of the schema: each one transaction with its DDL, announced to every process after the commit. */
@Injectable()
export class SchemaChanges {
  constructor(
    @Inject(Definitions) private readonly definitions: Definitions,
    @Inject(CacheInvalidationBus) private readonly relay: CacheInvalidationBus,
  ) {}

  /**
   * Runs a change. A deadlock with writers is tried again.
   * @throws QuireError SERVICE_UNAVAILABLE when writers hold on.
   */
  async run<Result>(ctx: Context, change: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const tenantId = ctx.principal.tenant.id;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await ctx.db.transaction(async (tx) => {
          await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
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
   * Changes one collection while nobody writes entries of it. Its version grows, so that writes which were checked by
   * the old rules are checked again.
   * @throws QuireError COLLECTION_NOT_FOUND, and what `change` throws.
   */
  withCollectionLock<Result>(ctx: Context, slug: string, change: Change<Result>): Promise<Result> {
    return this.withLock(ctx, slug, 'SHARE ROW EXCLUSIVE', change);
  }

  /**
   * Changes one collection whose table is altered or dropped: nobody reads it either. Taking this lock after the weaker
   * one would meet a reader who goes on to write, and both would wait for each other.
   * @throws QuireError COLLECTION_NOT_FOUND, and what `change` throws.
   */
  withTableLock<Result>(ctx: Context, slug: string, change: Change<Result>): Promise<Result> {
    return this.withLock(ctx, slug, 'ACCESS EXCLUSIVE', change);
  }

  private withLock<Result>(
    ctx: Context,
    slug: string,
    lock: 'SHARE ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE',
    change: Change<Result>,
  ): Promise<Result> {
    return this.run(ctx, async (tx) => {
      const collections = tx.repository(Collection);
      const collection = await collections.findOne({ where: { slug }, lock: { mode: 'pessimistic_write' } });
      if (!collection) throw collectionNotFound(slug);
      const table = contentTableName(slug);
      await tx.query(`LOCK TABLE ${identifier(table)} IN ${lock} MODE`);
      await tx.query('UPDATE collections SET version = version + 1, updated_at = now() WHERE id = $1', [
        collection.id,
      ]);
      await bumpReferringCollections(tx, collection);
      const result = await change({ tx, collection, table });
      const deleted = !(await collections.existsBy({ id: collection.id }));
      const changed = { tenantId: ctx.principal.tenant.id, id: collection.id, slug };
      await publishCollectionChange(tx, changed, { deleted });
      return result;
    });
  }
}

/**
 * Collections whose reference fields select from a changed one show titles of its entries: their statements change too.
 */
async function bumpReferringCollections(tx: Transaction, { id, slug }: Collection): Promise<void> {
  await tx.query(
    `UPDATE collections SET version = version + 1
     WHERE id <> $1 AND id IN (SELECT collection_id FROM fields WHERE validation ->> 'targetCollection' = $2)`,
    [id, slug],
  );
}

/** The fields of a collection in display order. */
export async function selectFields(tx: Transaction, collectionId: string): Promise<Field[]> {
  return tx.repository(Field).find({ where: { collectionId }, order: { sortOrder: 'ASC', slug: 'ASC' } });
}
