import { blockFingerprint, checkBlockFields, type BlockField } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type { SchemaChanges } from '../schema-change.js';
import { activeVersion, selectBlockType, type BlockType } from './block-type.js';

/**
 * Changes a block type that is held meanwhile, if its active version is still the one that the caller has seen. Every
 * collection that holds blocks counts as changed, so that values which were checked by the old rules are checked again.
 * @throws QuireError BLOCK_TYPE_NOT_FOUND, BLOCK_TYPE_VERSION_CONFLICT, and what `change` throws.
 */
export function changeBlockType(
  ctx: Context,
  changes: SchemaChanges,
  slug: string,
  expectedFingerprint: string,
  change: (tx: Transaction, type: BlockType) => Promise<void>,
): Promise<BlockType> {
  return changes.run(ctx, async (tx) => {
    await tx.query('SELECT 1 FROM block_types WHERE slug = $1 FOR UPDATE', [slug]);
    const type = await selectBlockType(tx, slug);
    assertFingerprintMatches(type, expectedFingerprint);
    await change(tx, type);
    await bumpCollectionsWithBlocks(tx);
    return selectBlockType(tx, slug);
  });
}

function assertFingerprintMatches(type: BlockType, expected: string): void {
  const { fingerprint } = activeVersion(type);
  if (fingerprint === expected) return;
  throw new QuireError(
    'BLOCK_TYPE_VERSION_CONFLICT',
    'The block type has changed since it was read; read it again',
    {
      details: { currentFingerprint: fingerprint },
    },
  );
}

async function bumpCollectionsWithBlocks(tx: Transaction): Promise<void> {
  await tx.query(
    `UPDATE collections SET version = version + 1
     WHERE id IN (SELECT collection_id FROM fields WHERE type = 'blocks')`,
  );
}

/** @throws QuireError VALIDATION_ERROR naming every problem, paths beginning with `fields`. */
export function assertValidBlockFields(fields: readonly BlockField[]): void {
  const problems = checkBlockFields(fields);
  if (problems.length > 0)
    throw invalidInput(problems.map(({ path, message }) => ({ path: `fields.${path}`, message })));
}

/** Keeps a version of a block type's fields. */
export async function insertBlockTypeVersion(
  tx: Transaction,
  blockTypeId: string,
  version: number,
  fields: readonly BlockField[],
): Promise<void> {
  await tx.query(
    'INSERT INTO block_type_versions (id, block_type_id, version, fields, fingerprint) VALUES ($1, $2, $3, $4, $5)',
    [ulid(), blockTypeId, version, JSON.stringify(fields), blockFingerprint(fields)],
  );
}
