import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { packageFileAt, sha256Of } from '@quire/site-package';
import { openServiceTenant, type SitePackage } from '@quire/testing';
import { ulid } from 'ulid';
import { transferTables } from '../../../../migrations/index.js';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { transferEntities } from '../../../../transfer.module.js';
import {
  insertOperation,
  selectOperation,
  type OperationChange,
  type OperationRow,
} from '../../../operations/operations.repository.js';
import { isActive } from '../../../operations/record-step.js';
import { runOperation, type RunOutcome } from '../../../operations/run-operation.js';
import { mediaPosition, recordsPosition } from '../../../package-files/file-positions.js';
import { replaceFiles } from '../../../package-files/package-files.repository.js';
import { objectPrefix } from '../../../package-files/stored-files.js';
import type { Plan } from '../../plan/plan.js';
import { executeTransferImport } from '../execute-transfer-import.js';
import { FakeTarget, fakeClients } from './fake-target.fixture.js';

export const planDigest = `sha256:${'b'.repeat(64)}`;

/** Executions of imports on real tables and a real store, with fake services. */
export interface Executions {
  ctx: Context;
  deps: TransferDeps;
  target: FakeTarget;
  store: ObjectStore;
  /** Stores the files of a package with a plan. @returns the id of the import */
  plan(
    sitePackage: SitePackage,
    decisions?: Partial<Plan['decisions']>,
    values?: OperationChange,
  ): Promise<string>;
  /** Plans the import of a package, and starts it. */
  start(sitePackage: SitePackage, decisions?: Partial<Plan['decisions']>): Promise<string>;
  /** Lets the delays of failed steps and of the fence end. */
  endDelays(id: string): Promise<void>;
  /** Takes one step, at once. */
  step(id: string): Promise<RunOutcome>;
  /** Takes steps until the import has ended, or its stage is reached. */
  finish(
    id: string,
    isReached?: (operation: OperationRow) => boolean,
    beforeStep?: () => Promise<void>,
  ): Promise<OperationRow>;
  operation(id: string): Promise<OperationRow>;
  /** Keys of the objects that the import owns. */
  objects(id: string): Promise<string[]>;
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openExecutions(name: string): Promise<Executions> {
  const tenant = await openServiceTenant(name, 'transfer', transferTables, transferEntities);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const store = await connectObjectStore({ s3: undefined, folder });
  const target = new FakeTarget(store);
  const deps = {
    clients: fakeClients(target),
    store,
    fence: target.fence,
    logger: { warn: () => undefined },
    wakeDispatcher: () => undefined,
    options: { version: '1.2.3' },
  } as unknown as TransferDeps;
  const { ctx } = tenant;
  const operation = async (id: string) => {
    const row = await selectOperation(ctx.db, { id });
    if (!row) throw new Error('There is no such import');
    return row;
  };
  const executions: Executions = {
    ctx,
    deps,
    target,
    store,
    operation,
    plan: (sitePackage, decisions, values) => insertPlanned(ctx, store, { sitePackage, decisions, values }),
    async start(sitePackage, decisions) {
      const id = await executions.plan(sitePackage, decisions);
      const { packageDigest } = sitePackage;
      await executeTransferImport(ctx, deps, { id, packageDigest, planDigest });
      return id;
    },
    async endDelays(id) {
      await ctx.db.query('UPDATE cms_transfer.transfer_steps SET due_at = now() WHERE operation_id = $1', [
        id,
      ]);
      await ctx.db.query(
        `UPDATE transfer_operations
         SET cursor = jsonb_set(cursor::jsonb, '{execution,fencedAt}', '"2026-01-01T00:00:00.000Z"')::json
         WHERE id = $1 AND cursor -> 'execution' ->> 'fencedAt' IS NOT NULL`,
        [id],
      );
    },
    async step(id) {
      await executions.endDelays(id);
      return runOperation(ctx, deps, id, () => true);
    },
    async finish(id, isReached = () => false, beforeStep = () => Promise.resolve()) {
      for (let steps = 0; steps < 300; steps += 1) {
        const row = await operation(id);
        if (!isActive(row) || isReached(row)) return row;
        await beforeStep();
        await executions.step(id);
      }
      throw new Error('The import does not end');
    },
    async objects(id) {
      const keys: string[] = [];
      for await (const { key } of store.list(objectPrefix(ctx, id))) keys.push(key);
      return keys;
    },
    async close() {
      await tenant.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return executions;
}

interface PlannedImport {
  sitePackage: SitePackage;
  decisions?: Partial<Plan['decisions']> | undefined;
  values?: OperationChange | undefined;
}

async function insertPlanned(
  ctx: Context,
  store: ObjectStore,
  { sitePackage, decisions, values }: PlannedImport,
): Promise<string> {
  const operationId = ulid();
  const { packageDigest, files } = sitePackage;
  await insertOperation(ctx.db, {
    id: operationId,
    kind: 'import',
    state: 'planned',
    options: {},
    cursor: {},
    createdBy: 'user-ada',
    packageDigest,
    plan: planOf(sitePackage, decisions),
    planDigest,
    ...values,
  });
  const paths = [...files.keys()];
  const rows = [...files].map(([path, bytes]) => ({
    operationId,
    position: positionOf(path, paths),
    path,
    bytes: bytes.length,
    sha256: sha256Of(bytes),
    objectKey: `${objectPrefix(ctx, operationId)}${path}`,
    isStored: true,
  }));
  await replaceFiles(ctx.db, rows);
  for (const { path, objectKey } of rows)
    await store.put(objectKey, Readable.from([files.get(path) ?? Buffer.alloc(0)]), {
      contentType: 'application/octet-stream',
    });
  return operationId;
}

function planOf({ manifest, packageDigest }: SitePackage, decisions: Partial<Plan['decisions']> = {}): Plan {
  const { siteId, packageId, createdAt, createdBy, counts, records, media } = manifest;
  return {
    formatVersion: '1',
    packageDigest,
    origin: { siteId, packageId, createdAt, createdByVersion: createdBy.version },
    target: { siteId: 'target', dialect: 'postgres', version: '1.2.3' },
    counts,
    bytes: { records: records.bytes, media: media.bytes },
    principals: [],
    settings: { title: {}, tagline: {} },
    decisions: { principalMappings: {}, siteTitle: 'package', siteTagline: 'package', ...decisions },
    transformations: [],
    warnings: [{ code: 'media_row_missing', message: 'A media item is missing', count: 1 }],
    blockers: [],
    estimatedSteps: 1,
  };
}

function positionOf(path: string, paths: readonly string[]): number {
  const file = packageFileAt(path);
  const number = Number(/(\d{6})\.ndjson$/.exec(path)?.[1]);
  if (file?.type === 'records') return recordsPosition(file.kind, number);
  return file?.type === 'media' ? mediaPosition(1, paths.indexOf(path) + 1) : number;
}
