import { audit } from '@quire/audit';
import type { BlockField } from '@quire/content-model';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type { SchemaChanges } from '../../schema-change.js';
import { selectBlockType, type BlockType } from '../block-type.js';
import type { BlockTypeInput } from '../block-types.schemas.js';
import { insertBlockTypeVersion, assertValidBlockFields } from '../change-block-type.js';

/**
 * Defines a block type; its fields are version 1, which is active (contract 15).
 * @param source who defines it: a user, or the seed of the site
 * @throws QuireError BLOCK_TYPE_EXISTS, VALIDATION_ERROR.
 */
export async function createBlockType(
  ctx: Context,
  changes: SchemaChanges,
  { slug, label, description, icon, category, fields }: BlockTypeInput,
  source: BlockType['source'] = 'user',
): Promise<BlockType> {
  const checked = fields as BlockField[];
  assertValidBlockFields(checked);
  return changes.run(ctx, async (tx) => {
    const [created] = await tx.query<{ id: string }>(
      `INSERT INTO block_types (id, slug, label, description, icon, category, current_version, source)
       VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT (slug) DO NOTHING RETURNING id`,
      [ulid(), slug, label, description ?? null, icon ?? null, category ?? null, source],
    );
    if (!created) throw new QuireError('BLOCK_TYPE_EXISTS', `Block type '${slug}' already exists`);
    await insertBlockTypeVersion(tx, created.id, 1, checked);
    await audit(ctx, tx, { action: 'block-type.created', target: { type: 'block-type', id: slug } });
    return selectBlockType(tx, slug);
  });
}
