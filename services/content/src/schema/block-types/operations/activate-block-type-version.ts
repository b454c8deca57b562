import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { SchemaChanges } from '../../schema-change.js';
import type { BlockType } from '../block-type.js';
import { changeBlockType } from '../change-block-type.js';

const positiveInteger = /^[1-9]\d{0,8}$/;

/**
 * Makes a retained version the one that new blocks get. Stored blocks keep the version they carry.
 * @throws QuireError INVALID_INPUT (no positive integer), BLOCK_TYPE_NOT_FOUND, NOT_FOUND (version),
 * BLOCK_TYPE_VERSION_CONFLICT.
 */
export async function activateBlockTypeVersion(
  ctx: Context,
  changes: SchemaChanges,
  address: { slug: string; version: string },
  expectedFingerprint: string,
): Promise<BlockType> {
  if (!positiveInteger.test(address.version)) {
    throw new QuireError('INVALID_INPUT', 'version: must be a positive whole number');
  }
  const version = Number(address.version);
  return changeBlockType(ctx, changes, address.slug, expectedFingerprint, async (tx, type) => {
    if (!type.versions.some((known) => known.version === version)) throw notFound('version');
    if (type.currentVersion === version) return;
    await tx.query('UPDATE block_types SET current_version = $2, updated_at = now() WHERE id = $1', [
      type.id,
      version,
    ]);
    const target = { type: 'block-type', id: address.slug } as const;
    await audit(ctx, tx, { action: 'block-type.version-activated', target, details: { version } });
  });
}
