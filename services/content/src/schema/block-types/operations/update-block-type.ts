import { audit } from '@quire/audit';
import { blockFingerprint, isCompatibleChange, type BlockField } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { SchemaChanges } from '../../schema-change.js';
import { activeVersion, type BlockType } from '../block-type.js';
import type { BlockTypeUpdate } from '../block-types.schemas.js';
import { changeBlockType, insertBlockTypeVersion, assertValidBlockFields } from '../change-block-type.js';

/**
 * Changes what is sent of a block type. Fields that all stored blocks still fit change the active version in place;
 * others need consent and become a new version, which is then the active one (contract 15).
 * @throws QuireError BLOCK_TYPE_NOT_FOUND, BLOCK_TYPE_VERSION_CONFLICT, BLOCK_TYPE_BREAKING_CHANGE, VALIDATION_ERROR.
 */
export async function updateBlockType(
  ctx: Context,
  changes: SchemaChanges,
  slug: string,
  { expectedFingerprint, fields, breaking, ...texts }: BlockTypeUpdate,
): Promise<BlockType> {
  const changed = fields as BlockField[] | undefined;
  if (changed) assertValidBlockFields(changed);
  return changeBlockType(ctx, changes, slug, expectedFingerprint, async (tx, type) => {
    await updateTexts(tx, type, texts);
    const version = changed ? await updateFields(tx, type, changed, breaking ?? false) : type.currentVersion;
    await audit(ctx, tx, {
      action: 'block-type.updated',
      target: { type: 'block-type', id: slug },
      details: { fields: Object.keys(given({ ...texts, fields })), version },
    });
  });
}

type Texts = Pick<BlockTypeUpdate, 'label' | 'description' | 'icon' | 'category'>;

async function updateTexts(tx: Transaction, type: BlockType, texts: Texts): Promise<void> {
  const { label, description, icon, category }: Texts = { ...type, ...given(texts) };
  await tx.query(
    `UPDATE block_types SET label = $2, description = $3, icon = $4, category = $5, updated_at = now() WHERE id = $1`,
    [type.id, label, description ?? null, icon ?? null, category ?? null],
  );
}

const given = (sent: object) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));

/** @returns the version that is active afterwards. */
async function updateFields(
  tx: Transaction,
  type: BlockType,
  fields: readonly BlockField[],
  isConsented: boolean,
): Promise<number> {
  const active = activeVersion(type);
  if (isCompatibleChange(active.fields, fields)) {
    await tx.query(
      'UPDATE block_type_versions SET fields = $2, fingerprint = $3, updated_at = now() WHERE id = $1',
      [active.id, JSON.stringify(fields), blockFingerprint(fields)],
    );
    return type.currentVersion;
  }
  if (!isConsented) {
    throw new QuireError(
      'BLOCK_TYPE_BREAKING_CHANGE',
      'Stored blocks may not fit the changed fields: send breaking: true to create a new version of the block type',
    );
  }
  const version = Math.max(...type.versions.map((known) => known.version)) + 1;
  await insertBlockTypeVersion(tx, type.id, version, fields);
  await tx.query('UPDATE block_types SET current_version = $2 WHERE id = $1', [type.id, version]);
  return version;
}
