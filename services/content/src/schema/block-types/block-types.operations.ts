import { audit } from '@quire/audit';
import { checkBlockFields, findBreakingChanges, type BlockField } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import type { SchemaChanges } from '../schema-change.js';
import { activeVersion } from './block-type-rules.js';
import type { BlockType } from './block-type.entity.js';
import { toBlockTypeResponse, type BlockTypeResponse } from './block-type.mapper.js';
import {
  bumpCollectionsWithBlocks,
  insertBlockType,
  insertBlockTypeVersion,
  lockBlockType,
  selectBlockType,
  selectBlockTypes,
  updateBlockTypeRow,
  updateBlockTypeVersionFields,
  type StoredBlockType,
} from './block-types.repository.js';
import type { BlockTypeInput, BlockTypeUpdate } from './block-types.schemas.js';

const positiveInteger = /^[1-9]\d{0,8}$/;

/** @returns all block types by label (contract 15). */
export async function listBlockTypes(ctx: Context): Promise<{ items: BlockTypeResponse[] }> {
  return { items: (await selectBlockTypes(ctx.db)).map(toBlockTypeResponse) };
}

/** @returns one block type (contract 15). @throws QuireError BLOCK_TYPE_NOT_FOUND. */
export async function getBlockType(ctx: Context, slug: string): Promise<{ item: BlockTypeResponse }> {
  return { item: toBlockTypeResponse(await selectBlockType(ctx.db, slug)) };
}

/**
 * Creates a block type; its fields become version 1, the active one (contract 15).
 * @throws QuireError BLOCK_TYPE_EXISTS, VALIDATION_ERROR.
 */
export async function createBlockType(
  ctx: Context,
  changes: SchemaChanges,
  { fields: given, source = 'user', ...input }: BlockTypeInput & Partial<Pick<BlockType, 'source'>>,
): Promise<{ item: BlockTypeResponse }> {
  const fields = given as BlockField[];
  assertValidBlockFields(fields);
  const { slug } = input;
  return changes.run(ctx, async (tx) => {
    const id = await insertBlockType(tx, { ...input, source });
    if (id === undefined) throw new QuireError('BLOCK_TYPE_EXISTS', `Block type '${slug}' already exists`);
    await insertBlockTypeVersion(tx, { blockTypeId: id, version: 1, fields });
    await audit(ctx, tx, { action: 'block-type.created', target: { type: 'block-type', id: slug } });
    return { item: toBlockTypeResponse(await selectBlockType(tx, slug)) };
  });
}

/**
 * Updates the given properties of a block type. Fields that all stored blocks still fit change the active version in
 * place; others need `breaking` and become a new version, which is then the active one (contract 15).
 * @throws QuireError BLOCK_TYPE_NOT_FOUND, BLOCK_TYPE_VERSION_CONFLICT, BLOCK_TYPE_BREAKING_CHANGE, VALIDATION_ERROR.
 */
export async function updateBlockType(
  ctx: Context,
  changes: SchemaChanges,
  { slug, update }: { slug: string; update: BlockTypeUpdate },
): Promise<{ item: BlockTypeResponse }> {
  const { expectedFingerprint, breaking = false, ...properties } = update;
  const { fields: given, ...texts } = properties;
  const fields = given as BlockField[] | undefined;
  if (fields) assertValidBlockFields(fields);
  return changeBlockType(ctx, changes, { slug, expectedFingerprint }, async (tx, type) => {
    await updateBlockTypeRow(tx, type.id, texts);
    const version = fields
      ? await replaceFields(tx, type, fields, { isConsented: breaking })
      : type.currentVersion;
    const changedProperties = Object.entries(properties).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    await audit(ctx, tx, {
      action: 'block-type.updated',
      target: { type: 'block-type', id: slug },
      details: { fields: changedProperties, version },
    });
  });
}

/** The number of a version as in the URL. @throws QuireError INVALID_INPUT. */
export function parseVersion(text: string): number {
  if (positiveInteger.test(text)) return Number(text);
  throw new QuireError('INVALID_INPUT', 'version: must be a positive whole number');
}

/**
 * Makes a version the active one. Stored blocks keep their version (contract 15).
 * @throws QuireError BLOCK_TYPE_NOT_FOUND, NOT_FOUND (version), BLOCK_TYPE_VERSION_CONFLICT.
 */
export async function activateBlockTypeVersion(
  ctx: Context,
  changes: SchemaChanges,
  input: { slug: string; version: number; expectedFingerprint: string },
): Promise<{ item: BlockTypeResponse }> {
  const { version } = input;
  return changeBlockType(ctx, changes, input, async (tx, type) => {
    if (!type.versions.some((stored) => stored.version === version)) throw notFound(`version ${version}`);
    if (type.currentVersion === version) return;
    await updateBlockTypeRow(tx, type.id, { currentVersion: version });
    const target = { type: 'block-type', id: input.slug } as const;
    await audit(ctx, tx, { action: 'block-type.version-activated', target, details: { version } });
  });
}

/**
 * Changes a locked block type if its active version still has the expected fingerprint. All collections with blocks get
 * a new version, so that values which were checked against the former rules are checked again.
 * @throws QuireError BLOCK_TYPE_NOT_FOUND, BLOCK_TYPE_VERSION_CONFLICT, and what `change` throws.
 */
function changeBlockType(
  ctx: Context,
  changes: SchemaChanges,
  { slug, expectedFingerprint }: { slug: string; expectedFingerprint: string },
  change: (tx: Transaction, type: StoredBlockType) => Promise<void>,
): Promise<{ item: BlockTypeResponse }> {
  return changes.run(ctx, async (tx) => {
    const type = await lockBlockType(tx, slug);
    assertFingerprintMatches(type, expectedFingerprint);
    await change(tx, type);
    await bumpCollectionsWithBlocks(tx);
    return { item: toBlockTypeResponse(await selectBlockType(tx, slug)) };
  });
}

function assertFingerprintMatches(type: StoredBlockType, expected: string): void {
  const { fingerprint } = activeVersion(type);
  if (fingerprint === expected) return;
  const message = 'The block type has changed since it was read; read it again';
  throw new QuireError('BLOCK_TYPE_VERSION_CONFLICT', message, {
    details: { currentFingerprint: fingerprint },
  });
}

/** @throws QuireError VALIDATION_ERROR naming every problem; paths begin with `fields`. */
function assertValidBlockFields(fields: readonly BlockField[]): void {
  const problems = checkBlockFields(fields);
  if (problems.length > 0)
    throw invalidInput(problems.map(({ path, message }) => ({ path: `fields.${path}`, message })));
}

/** @returns the version that is active afterwards. @throws QuireError BLOCK_TYPE_BREAKING_CHANGE with differences. */
async function replaceFields(
  tx: Transaction,
  type: StoredBlockType,
  fields: readonly BlockField[],
  { isConsented }: { isConsented: boolean },
): Promise<number> {
  const active = activeVersion(type);
  const differences = findBreakingChanges(active.fields, fields);
  if (differences.length === 0) {
    await updateBlockTypeVersionFields(tx, active.id, fields);
    return type.currentVersion;
  }
  if (!isConsented) {
    throw new QuireError(
      'BLOCK_TYPE_BREAKING_CHANGE',
      'Stored blocks may not fit the changed fields: send breaking: true to create a new version of the block type',
      { details: { differences } },
    );
  }
  const version = Math.max(...type.versions.map((stored) => stored.version)) + 1;
  await insertBlockTypeVersion(tx, { blockTypeId: type.id, version, fields });
  await updateBlockTypeRow(tx, type.id, { currentVersion: version });
  return version;
}
