import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { hasSubscribers } from '../../integration/change-subscriptions/index.js';
import { selectBlockTypes } from '../block-types/block-type.js';
import { Collection } from '../collections/collection.entity.js';
import { Field } from '../fields/field.entity.js';
import { selectRelationReferences } from '../relations/relation.js';
import { collectionNotFound } from './collection-not-found.js';
import { defineCollection, type CollectionDefinition } from './collection-definition.js';

/**
 * Collection definitions by tenant, held in the process so that operations on entries do not read them. A schema change
 * drops them everywhere by relay message; until that arrives a stale one cannot do harm, because every write names the
 * version it was checked by (see entries/entry-writes.ts).
 */
@Injectable()
export class Definitions {
  private readonly byTenant = new Map<string, Map<string, Promise<CollectionDefinition>>>();

  /**
   * The definition of a collection.
   * @throws QuireError COLLECTION_NOT_FOUND
   */
  async get(ctx: Context, slug: string): Promise<CollectionDefinition> {
    const collections = this.of(ctx.principal.tenant.id);
    const known = collections.get(slug);
    if (known) return known;
    const loading = load(ctx, slug);
    collections.set(slug, loading);
    // A failure, a missing collection included, is not remembered: the next request looks again.
    loading.catch(() => {
      if (collections.get(slug) === loading) collections.delete(slug);
    });
    return loading;
  }

  /** Forgets the definitions of one tenant, or of all. */
  invalidate(tenantId?: string): void {
    if (tenantId === undefined) this.byTenant.clear();
    else this.byTenant.delete(tenantId);
  }

  private of(tenantId: string): Map<string, Promise<CollectionDefinition>> {
    let collections = this.byTenant.get(tenantId);
    if (!collections) this.byTenant.set(tenantId, (collections = new Map()));
    return collections;
  }
}

async function load(ctx: Context, slug: string): Promise<CollectionDefinition> {
  return ctx.db.transaction(async (tx) => {
    // One snapshot for all reads: a definition never mixes two versions.
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const collection = await tx.repository(Collection).findOneBy({ slug });
    if (!collection) throw collectionNotFound(slug);
    const fields = await tx
      .repository(Field)
      .find({ where: { collectionId: collection.id }, order: { sortOrder: 'ASC', slug: 'ASC' } });
    const types = fields.some(({ type }) => type === 'blocks') ? await selectBlockTypes(tx) : [];
    return defineCollection(collection, fields, {
      types,
      references: await selectRelationReferences(tx, fields),
      hasSubscribers: await hasSubscribers(tx, collection.id),
    });
  });
}
