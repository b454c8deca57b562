import type { SitePackage } from '@quire/testing';
import type { TransferDeps } from '../../../../transfer-deps.js';
import type { OperationChange, OperationRow } from '../../../operations/operations.repository.js';
import { isActive } from '../../../operations/record-step.js';
import { runOperation, type RunOutcome } from '../../../operations/run-operation.js';
import { insertImport } from '../../../testing/stored-package.fixture.js';
import { openTransferTenant, type TransferTenant } from '../../../testing/transfer-tenant.fixture.js';
import type { Plan } from '../../plan/plan.js';
import { executeTransferImport } from '../execute-transfer-import.js';
import { FakeTarget, fakeClients } from './fake-target.fixture.js';

export const planDigest = `sha256:${'b'.repeat(64)}`;

/** Executions of imports on real tables and a real store, with fake services. */
export interface Executions extends Omit<TransferTenant, 'depsWith' | 'storeErrors' | 'endDelay'> {
  deps: TransferDeps;
  target: FakeTarget;
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
}

/** @param name unique name of the tenant */
export async function openExecutions(name: string): Promise<Executions> {
  const tenant = await openTransferTenant(name);
  const { ctx, store } = tenant;
  const target = new FakeTarget(store);
  const deps = tenant.depsWith({
    clients: fakeClients(target),
    fence: target.fence,
    options: { version: '1.2.3' },
  });
  const executions: Executions = {
    ...tenant,
    deps,
    target,
    plan(sitePackage, decisions, values) {
      const plan = planOf(sitePackage, decisions);
      return insertImport(ctx, store, { sitePackage, state: 'planned', plan, planDigest, ...values });
    },
    async start(sitePackage, decisions) {
      const id = await executions.plan(sitePackage, decisions);
      const { packageDigest } = sitePackage;
      await executeTransferImport(ctx, deps, { id, packageDigest, planDigest });
      return id;
    },
    async endDelays(id) {
      await tenant.endDelay(id);
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
        const row = await tenant.operation(id);
        if (!isActive(row) || isReached(row)) return row;
        await beforeStep();
        await executions.step(id);
      }
      throw new Error('The import does not end');
    },
  };
  return executions;
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
