import type { BlockField } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';

/** One version of a block type, as the API answers it (contract 6). */
export interface BlockTypeVersion {
  id: string;
  blockTypeId: string;
  version: number;
  fields: BlockField[];
  /** A hash over the fields without their labels. */
  fingerprint: string;
  active: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A block type with all its versions, oldest first. */
export interface BlockType {
  id: string;
  slug: string;
  label: string;
  description?: string;
  icon?: string;
  category?: string;
  currentVersion: number;
  source: 'user' | 'seed';
  versions: BlockTypeVersion[];
  createdAt: string;
  updatedAt: string;
}

type Row = Omit<BlockType, 'description' | 'icon' | 'category' | 'versions'> & {
  description: string | null;
  icon: string | null;
  category: string | null;
  versions: Omit<BlockTypeVersion, 'blockTypeId' | 'active'>[];
};

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const select = `
  SELECT t.id, t.slug, t.label, t.description, t.icon, t.category, t.current_version AS "currentVersion", t.source,
    t.created_at AS "createdAt", t.updated_at AS "updatedAt",
    (SELECT json_agg(json_build_object('id', v.id, 'version', v.version, 'fields', v.fields, 'fingerprint', v.fingerprint,
       'createdAt', ${iso('v.created_at')}, 'updatedAt', ${iso('v.updated_at')}) ORDER BY v.version)
     FROM block_type_versions v WHERE v.block_type_id = t.id) AS versions
  FROM block_types t`;

/** All block types, by label. */
export async function selectBlockTypes(sql: Queryable): Promise<BlockType[]> {
  return (await sql.query<Row>(`${select} ORDER BY lower(t.label), t.slug`)).map(blockType);
}

/** @throws QuireError BLOCK_TYPE_NOT_FOUND */
export async function selectBlockType(sql: Queryable, slug: string): Promise<BlockType> {
  const [row] = await sql.query<Row>(`${select} WHERE t.slug = $1`, [slug]);
  if (!row) throw new QuireError('BLOCK_TYPE_NOT_FOUND', `Block type '${slug}' not found`);
  return blockType(row);
}

function blockType({ description, icon, category, versions, ...row }: Row): BlockType {
  return {
    ...row,
    ...(description === null ? {} : { description }),
    ...(icon === null ? {} : { icon }),
    ...(category === null ? {} : { category }),
    versions: versions.map((version) => ({
      ...version,
      blockTypeId: row.id,
      active: version.version === row.currentVersion,
    })),
  };
}

/** The version that new blocks get. */
export function activeVersion({ slug, versions }: BlockType): BlockTypeVersion {
  const active = versions.find((version) => version.active);
  if (!active) throw new Error(`The block type ${slug} has no active version`);
  return active;
}
