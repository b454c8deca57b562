import type { Context } from '@quire/context';
import { QuireError, type ErrorCode } from '@quire/errors';
import type { contentApi, ResponseOf } from '@quire/internal-api';
import { createContent, publishContent, type EntryDeps } from '../../entries/index.js';
import {
  createBlockType,
  createBlockTypeBody,
  createCollection,
  createCollectionBody,
  createField,
  createFieldBody,
  getCollection,
  type SchemaChanges,
} from '../../schema/index.js';
import { createTaxonomy } from '../../taxonomies/definitions/index.js';
import { defaultSeed, type Seed, type SeedCollection, type SeedEntry } from './default-seed.js';

/** @returns the name and size of the seed of new sites. */
export function getSeed(): ResponseOf<typeof contentApi.getSeed> {
  const { name, description, collections, entries } = defaultSeed;
  return { name, description, collections: collections.length, hasContent: entries.length > 0 };
}

export interface SeedDeps {
  changes: SchemaChanges;
  entries: EntryDeps;
}

/**
 * Creates the content of a seed (contract 38). Existing content stays unchanged: a seed that was applied in part is
 * completed, and one that was applied in full changes nothing.
 * @throws the errors of the called operations for an invalid seed
 */
export async function applySeed(
  ctx: Context,
  deps: SeedDeps,
  { seed, withEntries }: { seed: Seed; withEntries: boolean },
): Promise<contentApi.SeedResult> {
  const created: contentApi.SeedResult = {
    blockTypes: 0,
    collections: 0,
    fields: 0,
    taxonomies: 0,
    entries: 0,
  };
  for (const blockType of seed.blockTypes) {
    const input = { ...createBlockTypeBody.parse(blockType), source: 'seed' as const };
    if (await wasCreated('BLOCK_TYPE_EXISTS', () => createBlockType(ctx, deps.changes, input)))
      created.blockTypes += 1;
  }
  const seeded = new Set<string>();
  for (const collection of seed.collections) {
    const isNew = await createSeedCollection(ctx, deps, collection);
    if (isNew) created.collections += 1;
    else if (!(await isOfSeed(ctx, collection.slug))) continue;
    seeded.add(collection.slug);
    for (const field of collection.fields) {
      const input = { collection: collection.slug, field: createFieldBody.parse(field) };
      if (await wasCreated('FIELD_EXISTS', () => createField(ctx, deps.changes, input))) created.fields += 1;
    }
  }
  for (const taxonomy of seed.taxonomies) {
    if (await wasCreated('CONFLICT', () => createTaxonomy(ctx, deps.entries.locales.of(ctx), taxonomy)))
      created.taxonomies += 1;
  }
  for (const entry of withEntries ? seed.entries.filter(({ collection }) => seeded.has(collection)) : []) {
    if (await wasCreated('SLUG_CONFLICT', () => createSeedEntry(ctx, deps, entry))) created.entries += 1;
  }
  return created;
}

function createSeedCollection(
  ctx: Context,
  { changes }: SeedDeps,
  { fields: _, ...settings }: SeedCollection,
): Promise<boolean> {
  const input = createCollectionBody.parse({ ...settings, source: 'seed' });
  return wasCreated('COLLECTION_EXISTS', () => createCollection(ctx, changes, input));
}

/** Whether a seed created the collection: one of a user stays unchanged. */
async function isOfSeed(ctx: Context, slug: string): Promise<boolean> {
  return (await getCollection(ctx, { slug, includeFields: false })).source === 'seed';
}

async function createSeedEntry(
  ctx: Context,
  { entries }: SeedDeps,
  { collection, slug, data }: SeedEntry,
): Promise<void> {
  const { item } = await createContent(ctx, entries, { collection, slug, data });
  await publishContent(ctx, entries, { collection, id: item.id });
}

/** Runs a creation. @param conflict the error code of existing content @returns whether it was created */
async function wasCreated(conflict: ErrorCode, create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (error instanceof QuireError && error.code === conflict) return false;
    throw error;
  }
}
