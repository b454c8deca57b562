import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { hasSubscribers } from '../../integration/change-subscriptions/index.js';
import { selectBlockTypes } from '../block-types/block-types.repository.js';
import { selectCollection } from '../collections/collections.repository.js';
import { selectFields } from '../fields/fields.repository.js';
import { selectRelationReferences } from '../relations/relation-reference.js';
import { collectionNotFound, defineCollection, type CollectionDefinition } from './collection-definition.js';

/**
 * A cache of collection definitions by tenant. A schema change invalidates it in every process by a relay message.
 * Until the message arrives an outdated definition is harmless, because every write names the version that it was
 * checked by (entries/repository/write-entry.ts).
 */
@Injectable()
export class Definitions {
  private readonly byTenant = new Map<string, Map<string, Promise<CollectionDefinition>>>();

  /** @returns the definition of a collection. @throws QuireError COLLECTION_NOT_FOUND. */
  async get(ctx: Context, slug: string): Promise<CollectionDefinition> {
    const collections = this.of(ctx.principal.tenant.id);
    const cached = collections.get(slug);
    if (cached) return cached;
    const loading = load(ctx, slug);
    collections.set(slug, loading);
    // Failures, a missing collection included, are not cached.
    loading.catch(() => {
      if (collections.get(slug) === loading) collections.delete(slug);
    });
    return loading;
  }

  /** Drops the definitions of one tenant, or of all. */
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
    // One snapshot for all statements, so that a definition never mixes two versions.
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const collection = await selectCollection(tx, slug);
    if (!collection) throw collectionNotFound(slug);
    const fields = await selectFields(tx, collection.id);
    const types = fields.some(({ type }) => type === 'blocks') ? await selectBlockTypes(tx) : [];
    return defineCollection(collection, fields, {
      types,
      references: await selectRelationReferences(tx, fields),
      hasSubscribers: await hasSubscribers(tx, collection.id),
    });
  });
}
