import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { manifestPath } from '@quire/site-package';
import { ulid } from '@quire/values';
import type { TransferDeps } from '../../../transfer-deps.js';
import {
  insertOperation,
  releaseOldKey,
  selectKeyedOperation,
  type OperationRow,
} from '../../operations/operations.repository.js';
import { transferSteps } from '../../operations/transfer-steps.repository.js';
import { insertExpectedFiles } from '../../package-files/declared-files.repository.js';
import { firstIndexPosition, manifestPosition } from '../../package-files/file-positions.js';
import { replaceFiles } from '../../package-files/package-files.repository.js';
import { objectPrefix, storeFile } from '../../package-files/stored-files.js';
import { importStateError } from '../find-import.js';
import { expireOverdueImports, selectActiveImport } from '../imports.repository.js';
import type { ReceivedManifest } from './receive-manifest.js';

/** Days from the creation of an import until it expires, unless it is executed. */
const importLifetimeDays = 7;
const dayMs = 24 * 3600 * 1000;
/** An import may end, or be created, between two statements. */
const maxAttempts = 3;

/** A created import; `created` is false for the repetition of a request with the same key. */
export interface CreatedImport {
  operation: OperationRow;
  created: boolean;
}

interface NewImport {
  received: ReceivedManifest;
  idempotencyKey: string | null;
  createdBy: string;
}

/**
 * Creates an import of the package with this manifest (contract 25). Its files are uploaded next. It occupies the site
 * until it ends.
 * @param idempotencyKey makes the request repeatable by its user
 * @throws QuireError TRANSFER_IDEMPOTENCY_CONFLICT for a key that the user gave with another manifest;
 *   TRANSFER_INVALID_STATE with the id of the import that occupies the site; SERVICE_UNAVAILABLE,
 *   STORAGE_QUOTA_EXCEEDED
 */
export async function createTransferImport(
  ctx: Context,
  deps: TransferDeps,
  { received, idempotencyKey }: { received: ReceivedManifest; idempotencyKey?: string | undefined },
): Promise<CreatedImport> {
  const createdBy = ctx.principal.userId ?? 'system';
  const given: NewImport = { received, createdBy, idempotencyKey: idempotencyKey ?? null };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { operation: await insertImport(ctx, deps, given), created: true };
    } catch (error) {
      if (!hasSqlState(error, sqlState.uniqueViolation) || attempt === maxAttempts) throw error;
    }
    const repeated = await findRepeated(ctx, given);
    if (repeated) return { operation: repeated, created: false };
    const active = await selectActiveImport(ctx.db);
    if (active) throw siteOccupied(active);
  }
}

async function insertImport(ctx: Context, deps: TransferDeps, given: NewImport): Promise<OperationRow> {
  const { received, idempotencyKey, createdBy } = given;
  const { bytes, sha256, manifest } = received;
  const id = ulid();
  return ctx.db.transaction(async (tx) => {
    await expireOverdueImports(tx);
    await releaseOldKey(tx, { kind: 'import', createdBy, idempotencyKey });
    const operation = await insertOperation(tx, {
      id,
      kind: 'import',
      state: 'uploading',
      options: {},
      cursor: {},
      idempotencyKey,
      createdBy,
      packageDigest: `sha256:${sha256}`,
      originSiteId: manifest.siteId,
      declaredFiles: manifest.index.length,
      expiresAt: new Date(Date.now() + importLifetimeDays * dayMs),
    });
    await insertIndexFiles(ctx, tx, id, received);
    const stored = await storeFile(ctx, deps.store, { operationId: id, path: manifestPath, bytes });
    await replaceFiles(tx, [{ ...stored, position: manifestPosition }]);
    // Without a further request the only step is that of the expiry.
    await transferSteps.enqueue(tx, { tenantId: ctx.principal.tenant.id, operationId: id });
    return operation;
  });
}

async function insertIndexFiles(
  ctx: Context,
  tx: Transaction,
  operationId: string,
  { manifest: { index } }: ReceivedManifest,
): Promise<void> {
  const files = index.map((file, place) => ({ ...file, position: firstIndexPosition + place }));
  await insertExpectedFiles(tx, { operationId, prefix: objectPrefix(ctx, operationId) }, files);
}

/** @returns undefined for a key that names no import */
async function findRepeated(
  ctx: Context,
  { received, createdBy, idempotencyKey }: NewImport,
): Promise<OperationRow | undefined> {
  if (idempotencyKey === null) return undefined;
  const operation = await selectKeyedOperation(ctx.db, { kind: 'import', createdBy, idempotencyKey });
  if (!operation || operation.packageDigest === `sha256:${received.sha256}`) return operation;
  throw new QuireError(
    'TRANSFER_IDEMPOTENCY_CONFLICT',
    'The Idempotency-Key was given with another manifest; use another key',
  );
}

function siteOccupied(active: OperationRow): QuireError {
  const { details } = importStateError(active);
  const message = `Another import of the site is ${active.state}: cancel it, or abandon it after a failure`;
  return new QuireError('TRANSFER_INVALID_STATE', message, { details });
}
