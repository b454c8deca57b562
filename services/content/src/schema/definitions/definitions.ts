import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { beginSnapshot } from '@quire/database';
import { TenantCache } from '@quire/tenancy';
import { hasSubscribers } from '../../integration/change-subscriptions/index.js';
import { selectBlockTypes } from '../block-types/block-types.repository.js';
import { selectCollection } from '../collections/collections.repository.js';
import { selectCountedTables } from '../content-changes/content-changes.repository.js';
import { selectFields } from '../fields/fields.repository.js';
import { selectRelationReferences } from '../relations/relation-reference.js';
import { contentTableName } from '../tables/content-table.repository.js';
import { collectionNotFound, defineCollection, type CollectionDefinition } from './collection-definition.js';

const maxCachedDefinitions = 10_000;

/**
 * A cache of collection definitions by tenant. A schema change invalidates it in every process by a relay message.
 * Until the message arrives an outdated definition is harmless, because every write names the version that it was
 * checked by (entries/repository/write-entry.ts).
 */
@Injectable()
export class Definitions {
  private readonly cache = new TenantCache<CollectionDefinition>({
    name: 'definitions',
    max: maxCachedDefinitions,
  });

  /** @returns the definition of a collection. @throws QuireError COLLECTION_NOT_FOUND. */
  async get(ctx: Context, slug: string): Promise<CollectionDefinition> {
    return this.cache.get(ctx.principal.tenant.id, slug, () => load(ctx, slug));
  }

  /** Removes the definitions of one tenant, or of all. */
  invalidate(tenantId?: string): void {
    this.cache.invalidate(tenantId);
  }
}

async function load(ctx: Context, slug: string): Promise<CollectionDefinition> {
  return ctx.db.transaction(async (tx) => {
    // A definition never mixes two versions.
    await beginSnapshot(tx);
    const collection = await selectCollection(tx, slug);
    if (!collection) throw collectionNotFound(slug);
    const fields = await selectFields(tx, collection.id);
    const types = fields.some(({ type }) => type === 'blocks') ? await selectBlockTypes(tx) : [];
    const references = await selectRelationReferences(tx, fields);
    const shown = [slug, ...references.map(({ target }) => target)];
    const tables = [...new Set(shown.map(contentTableName))];
    const counted = await selectCountedTables(tx, tables);
    return defineCollection(collection, fields, {
      types,
      references,
      hasSubscribers: await hasSubscribers(tx, collection.id),
      isCounted: counted.length === tables.length,
    });
  });
}
