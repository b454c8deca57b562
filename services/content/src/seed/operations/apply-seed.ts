import type { Context } from '@quire/context';
import { QuireError, type ErrorCode } from '@quire/errors';
import { createEntry, publishEntry, type EntryServices } from '../../entries/index.js';
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
import { createTaxonomy } from '../../taxonomies/index.js';
import type { Seed, SeedCollection, SeedEntry } from '../default-seed.js';

/** What a seed made. */
export interface SeedResult {
  blockTypes: number;
  collections: number;
  fields: number;
  taxonomies: number;
  entries: number;
}

export interface SeedServices {
  changes: SchemaChanges;
  entries: EntryServices;
}

/**
 * Gives a site what its seed says (contract 38). What is there already is left as it is, so a seed that was applied half is
 * completed, and one that was applied wholly changes nothing.
 * @throws what the operations of its parts throw for a seed that they refuse
 */
export async function applySeed(
  ctx: Context,
  services: SeedServices,
  { seed, withEntries }: { seed: Seed; withEntries: boolean },
): Promise<SeedResult> {
  const made: SeedResult = { blockTypes: 0, collections: 0, fields: 0, taxonomies: 0, entries: 0 };
  for (const blockType of seed.blockTypes) {
    const input = createBlockTypeBody.parse(blockType);
    if (await isMade('BLOCK_TYPE_EXISTS', () => createBlockType(ctx, services.changes, input, 'seed')))
      made.blockTypes += 1;
  }
  const seeded = new Set<string>();
  for (const collection of seed.collections) {
    const isNew = await makeCollection(ctx, services, collection);
    if (isNew) made.collections += 1;
    else if (!(await isOfSeed(ctx, collection.slug))) continue;
    seeded.add(collection.slug);
    for (const field of collection.fields) {
      const input = createFieldBody.parse(field);
      if (await isMade('FIELD_EXISTS', () => createField(ctx, services.changes, collection.slug, input)))
        made.fields += 1;
    }
  }
  for (const taxonomy of seed.taxonomies) {
    if (await isMade('CONFLICT', () => createTaxonomy(ctx, services.entries.locales, taxonomy)))
      made.taxonomies += 1;
  }
  for (const entry of withEntries ? seed.entries.filter(({ collection }) => seeded.has(collection)) : []) {
    if (await isMade('SLUG_CONFLICT', () => makeEntry(ctx, services, entry))) made.entries += 1;
  }
  return made;
}

function makeCollection(
  ctx: Context,
  { changes }: SeedServices,
  { fields: _, ...settings }: SeedCollection,
): Promise<boolean> {
  const input = createCollectionBody.parse({ ...settings, source: 'seed' });
  return isMade('COLLECTION_EXISTS', () => createCollection(ctx, changes, input));
}

/** A collection of the same name that somebody made himself is his. */
async function isOfSeed(ctx: Context, slug: string): Promise<boolean> {
  return (await getCollection(ctx, slug, { includeFields: false })).source === 'seed';
}

async function makeEntry(
  ctx: Context,
  { entries }: SeedServices,
  { collection, slug, data }: SeedEntry,
): Promise<void> {
  const { item } = await createEntry(ctx, entries, collection, { slug, data });
  await publishEntry(ctx, entries, { collection, id: item.id }, {});
}

/** Makes something, unless it is there. @param conflict the code that says so */
async function isMade(conflict: ErrorCode, make: () => Promise<unknown>): Promise<boolean> {
  try {
    await make();
    return true;
  } catch (error) {
    if (error instanceof QuireError && error.code === conflict) return false;
    throw error;
  }
}
