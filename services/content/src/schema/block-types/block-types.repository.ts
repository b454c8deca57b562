import { blockFingerprint, type BlockField } from '@quire/content-model';
import {
  assignmentsOf,
  columnsOf,
  insertRow,
  jsonPairsOf,
  Parameters,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { BlockType, BlockTypeVersion } from './block-type.entity.js';

export type StoredBlockTypeVersion = Row<BlockTypeVersion>;

/** A block type with all its versions, oldest first. */
export type StoredBlockType = Row<BlockType> & { versions: StoredBlockTypeVersion[] };

const selectStatement = `
  SELECT ${columnsOf(BlockType, { of: 't' })},
    (SELECT json_agg(json_build_object(${jsonPairsOf(BlockTypeVersion, { of: 'v' })}) ORDER BY v.version)
     FROM block_type_versions v WHERE v.block_type_id = t.id) AS versions
  FROM block_types t`;

/** @returns all block types by label. */
export function selectBlockTypes(sql: Queryable): Promise<StoredBlockType[]> {
  return sql.query<StoredBlockType>(`${selectStatement} ORDER BY lower(t.label), t.slug`);
}

/** @throws QuireError BLOCK_TYPE_NOT_FOUND */
export async function selectBlockType(sql: Queryable, slug: string): Promise<StoredBlockType> {
  const [type] = await sql.query<StoredBlockType>(`${selectStatement} WHERE t.slug = $1`, [slug]);
  if (!type) throw new QuireError('BLOCK_TYPE_NOT_FOUND', `Block type '${slug}' not found`);
  return type;
}

/** Locks a block type until the transaction ends. @throws QuireError BLOCK_TYPE_NOT_FOUND */
export async function lockBlockType(tx: Queryable, slug: string): Promise<StoredBlockType> {
  await tx.query('SELECT 1 FROM block_types WHERE slug = $1 FOR UPDATE', [slug]);
  return selectBlockType(tx, slug);
}

/** @returns the slugs of all block types. */
export async function selectBlockTypeSlugs(sql: Queryable): Promise<string[]> {
  const rows = await sql.query<{ slug: string }>('SELECT slug FROM block_types ORDER BY slug');
  return rows.map(({ slug }) => slug);
}

/** Inserts a block type without versions. @returns its id, or undefined when the slug is taken. */
export async function insertBlockType(
  tx: Queryable,
  { slug, label, description, icon, category, source }: RowInput<BlockType>,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `INSERT INTO block_types (id, slug, label, description, icon, category, current_version, source)
     VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT (slug) DO NOTHING RETURNING id`,
    [ulid(), slug, label, description ?? null, icon ?? null, category ?? null, source],
  );
  return row?.id;
}

/** Updates the given columns; null clears one. */
export async function updateBlockTypeRow(
  tx: Queryable,
  id: string,
  update: RowInput<BlockType>,
): Promise<void> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(BlockType, update, params), 'updated_at = now()'];
  await tx.query(
    `UPDATE block_types SET ${assignments.join(', ')} WHERE id = ${params.add(id)}`,
    params.values,
  );
}

export async function insertBlockTypeVersion(
  tx: Queryable,
  { blockTypeId, version, fields }: { blockTypeId: string; version: number; fields: readonly BlockField[] },
): Promise<void> {
  const fingerprint = blockFingerprint(fields);
  await insertRow(tx, BlockTypeVersion, {
    id: ulid(),
    blockTypeId,
    version,
    fields: [...fields],
    fingerprint,
  });
}

/** Replaces the fields of a version. */
export async function updateBlockTypeVersionFields(
  tx: Queryable,
  id: string,
  fields: readonly BlockField[],
): Promise<void> {
  await tx.query(
    'UPDATE block_type_versions SET fields = $2, fingerprint = $3, updated_at = now() WHERE id = $1',
    [id, JSON.stringify(fields), blockFingerprint(fields)],
  );
}

/** Gives all collections with blocks fields a new version: entries that were validated before are validated again. */
export async function bumpCollectionsWithBlocks(tx: Queryable): Promise<void> {
  await tx.query(
    `UPDATE collections SET version = version + 1
     WHERE id IN (SELECT collection_id FROM fields WHERE type = 'blocks')`,
  );
}
