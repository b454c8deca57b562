import { isDeepStrictEqual } from 'node:util';
import { completeFieldDefinition } from '@quire/content-model';
import { columnsOf, defaultsOf, type Queryable, type Row } from '@quire/database';
import type { RecordKind } from '@quire/site-package';
import {
  BlockType,
  BlockTypeVersion,
  Collection,
  createBlockTypeBody,
  createCollectionBody,
  createFieldBody,
  fieldDefinition,
  selectAllFields,
  selectCollections,
} from '../../schema/index.js';
import { Taxonomy, TaxonomyDefinition } from '../../taxonomies/definitions/index.js';
import type { Seed, SeedCollection, SeedField } from './default-seed.js';

/** A record that a seed has created, by its id. */
export interface SeededRecord {
  kind: RecordKind;
  key: string;
}

/**
 * Finds the records of a site that are as the seed creates them: collections without regard to their fields, fields,
 * taxonomies with their definitions, and block types with their versions. If the setup was interrupted, the site has a
 * part of them. Entries are not among the result.
 */
export async function selectUnchangedSeed(sql: Queryable, seed: Seed): Promise<SeededRecord[]> {
  return [
    ...(await unchangedBlockTypes(sql, seed)),
    ...(await unchangedCollections(sql, seed)),
    ...(await unchangedTaxonomies(sql, seed)),
  ];
}

async function unchangedCollections(sql: Queryable, seed: Seed): Promise<SeededRecord[]> {
  const stored = await selectCollections(sql, 'slug');
  const fields = await selectAllFields(sql);
  return stored.flatMap((collection) => {
    const seeded = seed.collections.find(({ slug }) => slug === collection.slug);
    if (!seeded || collection.source !== 'seed') return [];
    const unchangedFields = fields.filter((field) => {
      const index = seeded.fields.findIndex(({ slug }) => slug === field.slug);
      const expected = seeded.fields[index];
      if (field.collectionId !== collection.id || !expected) return false;
      return isDeepStrictEqual(fieldDefinition(field), expectedField(expected, index));
    });
    return [
      ...(isUnchanged(collection, expectedCollection(seeded)) ? [recordOf('collections', collection)] : []),
      ...unchangedFields.map((field) => recordOf('fields', field)),
    ];
  });
}

const recordOf = (kind: RecordKind, { id }: { id: string }): SeededRecord => ({ kind, key: id });

/** The row of a seeded collection. */
function expectedCollection({ fields: _, ...settings }: SeedCollection): Record<string, unknown> {
  const input = createCollectionBody.parse({ ...settings, source: 'seed' });
  return {
    ...defaultsOf(Collection),
    ...given(input),
    hasSeo: input.hasSeo ?? input.supports.includes('seo'),
  };
}

function given(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const expectedField = (field: SeedField, index: number) => ({
  ...completeFieldDefinition(createFieldBody.parse(field)),
  sortOrder: index,
});

/** Properties that are not of the seed. */
const ownProperties: readonly string[] = ['id', 'version', 'createdAt', 'updatedAt'];

function isUnchanged(stored: object, expected: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(stored).every(
    ([property, value]) =>
      ownProperties.includes(property) || isDeepStrictEqual(value, expected[property] ?? null),
  );
}

async function unchangedTaxonomies(sql: Queryable, seed: Seed): Promise<SeededRecord[]> {
  const taxonomies = await sql.query<Row<Taxonomy>>(`SELECT ${columnsOf(Taxonomy)} FROM taxonomies`);
  const definitions = await sql.query<Row<TaxonomyDefinition>>(
    `SELECT ${columnsOf(TaxonomyDefinition)} FROM taxonomy_definitions`,
  );
  return taxonomies.flatMap((taxonomy) => {
    const seeded = seed.taxonomies.find(({ name }) => name === taxonomy.name);
    if (!seeded) return [];
    const { label, labelSingular, ...settings } = seeded;
    if (!isUnchanged(taxonomy, settings)) return [];
    // The definition that the seed created has the id of its taxonomy.
    const isSeeded = (definition: Row<TaxonomyDefinition>) =>
      definition.id === taxonomy.id &&
      definition.label === label &&
      definition.labelSingular === labelSingular;
    return [
      recordOf('taxonomies', taxonomy),
      ...definitions.filter(isSeeded).map((definition) => recordOf('taxonomy_definitions', definition)),
    ];
  });
}

async function unchangedBlockTypes(sql: Queryable, seed: Seed): Promise<SeededRecord[]> {
  const types = await sql.query<Row<BlockType>>(`SELECT ${columnsOf(BlockType)} FROM block_types`);
  const versions = await sql.query<Row<BlockTypeVersion>>(
    `SELECT ${columnsOf(BlockTypeVersion)} FROM block_type_versions`,
  );
  return types.flatMap((type) => {
    const seeded = seed.blockTypes.find(({ slug }) => slug === type.slug);
    if (!seeded) return [];
    const { fields, ...settings } = createBlockTypeBody.parse(seeded);
    const expected = { ...given(settings), currentVersion: 1, source: 'seed' };
    if (!isUnchanged(type, expected)) return [];
    const isSeeded = (version: Row<BlockTypeVersion>) =>
      version.blockTypeId === type.id && version.version === 1 && isDeepStrictEqual(version.fields, fields);
    return [
      recordOf('block_types', type),
      ...versions.filter(isSeeded).map((version) => recordOf('block_type_versions', version)),
    ];
  });
}
