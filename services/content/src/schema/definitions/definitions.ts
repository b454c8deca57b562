import { Injectable } from '@nestjs/common';
import { isRelationField } from '@quire/content-model';
import type { Context } from '@quire/context';
import { beginSnapshot } from '@quire/database';
import { TenantCache } from '@quire/tenancy';
import { selectBlockTypes } from '../block-types/block-types.repository.js';
import { selectCountedTables } from '../content-changes/content-changes.repository.js';
import type { StoredField } from '../fields/fields.repository.js';
import { selectRelationReferences } from '../relations/relation-reference.js';
import { contentTableName } from '../tables/content-table.repository.js';
import { selectDefinition } from './definition.repository.js';
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
  const stored = await selectDefinition(ctx.db, slug);
  if (!stored) throw collectionNotFound(slug);
  const { collection, fields, ...rest } = stored;
  return fields.some(isOfOtherTables)
    ? loadWithOtherTables(ctx, slug)
    : defineCollection(collection, fields, rest);
}

/** Whether the definition of a field has parts in other tables: of block types, or of the relation that it views. */
const isOfOtherTables = (field: StoredField) => field.type === 'blocks' || isRelationField(field);

async function loadWithOtherTables(ctx: Context, slug: string): Promise<CollectionDefinition> {
  return ctx.db.transaction(async (tx) => {
    // A definition never mixes two versions.
    await beginSnapshot(tx);
    const stored = await selectDefinition(tx, slug);
    if (!stored) throw collectionNotFound(slug);
    const { collection, fields, hasSubscribers, isCounted } = stored;
    const types = fields.some(({ type }) => type === 'blocks') ? await selectBlockTypes(tx) : [];
    const references = await selectRelationReferences(tx, fields);
    const targets = [...new Set(references.map(({ target }) => contentTableName(target)))];
    const counted = targets.length > 0 ? await selectCountedTables(tx, targets) : [];
    return defineCollection(collection, fields, {
      types,
      references,
      hasSubscribers,
      isCounted: isCounted && counted.length === targets.length,
    });
  });
}
