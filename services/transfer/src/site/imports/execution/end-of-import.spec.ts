import 'reflect-metadata';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { ObjectStoreUnavailable, type ObjectStore } from '@quire/object-store';
import { useFixture } from '@quire/testing';
import type { TransferDeps } from '../../../transfer-deps.js';
import { runOperation } from '../../operations/run-operation.js';
import { transferSteps } from '../../operations/transfer-steps.repository.js';
import { executionStages } from '../../operations/transfer-operation.entity.js';
import { nextImportStep } from '../steps/index.js';
import { getTransferImportReceipt } from '../receipt/get-transfer-import-receipt.js';
import { abandonTransferImport } from './abandon-transfer-import.js';
import { advanceTransferImport } from './advance-transfer-import.js';
import { cancelTransferImport } from './cancel-transfer-import.js';
import { openExecutions } from './testing/executions.fixture.js';
import { sitePackage } from './testing/site-package.fixture.js';

/** The bytes of an object whose store becomes unavailable. */
const brokenStream = () =>
  new Readable({
    read() {
      this.destroy(new ObjectStoreUnavailable(new Error('broken')));
    },
  });

let number = 0;
const imports = useFixture(() => openExecutions(`spec-of-end-of-import-${number++}`), { lifetime: 'test' });

const cancel = (id: string) => cancelTransferImport(imports.ctx, imports.deps, id);
const abandon = (id: string) => abandonTransferImport(imports.ctx, imports.deps, id);
const invalidState = { code: 'TRANSFER_INVALID_STATE' };
const isBegun = ({ mutationStartedAt }: { mutationStartedAt: unknown }) => mutationStartedAt !== null;

describe('cancelTransferImport', () => {
  it.each(executionStages)(
    'ends an import in the stage %s at once, and abandoning it empties the site',
    async (stage) => {
      const id = await imports.start(sitePackage());
      const present = await imports.finish(id, (row) => row.stage === stage);
      expect(present.stage).toBe(stage);
      const row = await cancel(id);
      expect(row).toMatchObject({ state: 'cancelled', errorCode: null });
      expect(row.cancelRequestedAt).not.toBeNull();
      // Only an import that has changed the site keeps it read-only.
      expect(imports.target.isFenced).toBe(isBegun(present));
      await expect(cancel(id)).rejects.toMatchObject(invalidState);
      expect(await abandon(id)).toMatchObject({ state: 'abandoned' });
      expect(imports.target.kinds).toEqual([]);
      expect(imports.target.isFenced).toBe(false);
      expect([await imports.objects(id), [...imports.target.copies]]).toEqual([[], []]);
      expect((await imports.operation(id)).stagingCollectedAt).not.toBeNull();
      expect(await imports.finish(await imports.start(sitePackage()))).toMatchObject({ state: 'complete' });
    },
  );

  it('ends an import after the step that another process takes', async () => {
    const id = await imports.start(sitePackage());
    const { progress } = await imports.finish(id, ({ stage }) => stage === 'content');
    let during: unknown;
    imports.target.afterCall = async () => {
      imports.target.afterCall = () => undefined;
      during = await cancel(id);
    };
    expect(await imports.step(id)).toBe('finished');
    expect(during).toMatchObject({ state: 'running', cancelRequestedAt: expect.anything() });
    const row = await imports.operation(id);
    expect(row.state).toBe('cancelled');
    // The step was recorded.
    expect(row.progress?.done).toBeGreaterThan(progress?.done ?? Infinity);
    expect(imports.target.kinds).toContain('entries');
    expect(imports.target.isFenced).toBe(true);
  });

  it('completes an import that is verified: the site may be writable again', async () => {
    const id = await imports.start(sitePackage());
    const row = await imports.finish(
      id,
      ({ cursor }) => cursor.execution?.verification?.isMediaChecked === true,
    );
    // A process dies after it has lifted the fence.
    await nextImportStep(row)(imports.ctx, imports.deps, row, { fencingToken: 1 });
    expect(imports.target.isFenced).toBe(false);
    expect(await cancel(id)).toMatchObject({ state: 'complete', errorCode: null });
  });

  it('ends an import whose step waits after a failure', async () => {
    const id = await imports.start(sitePackage());
    imports.target.beforeCall = () => {
      throw new QuireError('SERVICE_UNAVAILABLE', 'Later');
    };
    await imports.finish(id, ({ cursor }) => cursor.execution?.fencedAt !== undefined);
    expect(await imports.step(id)).toBe('postponed');
    expect(await cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(imports.target.isFenced).toBe(false);
  });

  it.each(['uploading', 'analyzing', 'planned'] as const)('ends an import that is %s', async (state) => {
    const id = await imports.plan(sitePackage(), {}, { state });
    expect(await cancel(id)).toMatchObject({ state: 'cancelled', mutationStartedAt: null });
    expect(imports.target.log).toEqual([]);
    expect(await abandon(id)).toMatchObject({ state: 'abandoned' });
    expect(imports.target.log).toEqual([]);
  });

  it('rejects a complete import, whose receipt remains when its files are deleted', async () => {
    const id = await imports.start(sitePackage());
    await imports.finish(id);
    await expect(cancel(id)).rejects.toMatchObject(invalidState);
    await expect(abandon(id)).rejects.toMatchObject(invalidState);
    expect(await imports.objects(id)).not.toEqual([]);
    await imports.ctx.db.query(
      "UPDATE transfer_operations SET expires_at = now() - interval '1 s' WHERE id = $1",
      [id],
    );
    expect(await imports.step(id)).toBe('ended');
    expect([await imports.objects(id), (await imports.operation(id)).state]).toEqual([[], 'complete']);
    expect(await getTransferImportReceipt(imports.ctx, id)).toMatchObject({ receipt: { operationId: id } });
  });
});

describe('abandonTransferImport', () => {
  /** An import that fails while it writes content. */
  async function failed(): Promise<string> {
    const id = await imports.start(sitePackage());
    imports.target.beforeCall = (entry) => {
      if (entry === 'write content entries records') throw new QuireError('VALIDATION_ERROR', 'No');
    };
    expect(await imports.finish(id)).toMatchObject({
      state: 'failed',
      errorCode: 'VALIDATION_ERROR',
      attemptCount: 1,
    });
    imports.target.beforeCall = () => undefined;
    return id;
  }

  it('rejects other imports', async () => {
    const id = await imports.plan(sitePackage());
    await expect(abandon(id)).rejects.toMatchObject(invalidState);
    await expect(abandon('unknown')).rejects.toMatchObject({ code: 'TRANSFER_OPERATION_NOT_FOUND' });
  });

  it('is repeated when a service fails in the middle: until then the import has failed, and is fenced', async () => {
    const id = await failed();
    expect(await advanceTransferImport(imports.ctx, imports.deps, id)).toMatchObject({
      operation: { state: 'failed', errorCode: 'VALIDATION_ERROR' },
      nextRequestInMs: null,
    });
    imports.target.beforeCall = (entry) => {
      if (entry === 'clear search') throw new QuireError('SERVICE_UNAVAILABLE', 'Later');
    };
    await expect(abandon(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([(await imports.operation(id)).state, imports.target.isFenced]).toEqual(['failed', true]);
    imports.target.beforeCall = () => undefined;
    expect(await abandon(id)).toMatchObject({ state: 'abandoned', errorCode: 'VALIDATION_ERROR' });
    expect([imports.target.kinds, imports.target.isFenced]).toEqual([[], false]);
    await expect(abandon(id)).rejects.toMatchObject(invalidState);
  });

  it('works after the files of the import were deleted', async () => {
    const id = await failed();
    await imports.ctx.db.query(
      "UPDATE transfer_operations SET expires_at = now() - interval '1 s' WHERE id = $1",
      [id],
    );
    expect(await imports.step(id)).toBe('ended');
    expect([(await imports.operation(id)).state, imports.target.isFenced]).toEqual(['failed', true]);
    expect(await abandon(id)).toMatchObject({ state: 'abandoned' });
    expect([imports.target.kinds, imports.target.isFenced]).toEqual([[], false]);
  });

  it('deletes nothing after another request has abandoned the import', async () => {
    const id = await failed();
    const results = await Promise.allSettled([abandon(id), abandon(id)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(imports.target.log.filter((entry) => entry === 'clear search').length).toBeLessThanOrEqual(2);
    expect(imports.target.log.lastIndexOf('clear search')).toBeLessThan(
      imports.target.log.lastIndexOf('lift fence'),
    );
  });
});

describe('a failed step of an import', () => {
  it('fails an analysis with TRANSFER_ANALYZE_ERROR, and does not make the site read-only', async () => {
    const id = await imports.plan(sitePackage(), {}, { state: 'analyzing', stage: null });
    const tenantId = imports.ctx.principal.tenant.id;
    await transferSteps.enqueue(imports.ctx.db, { tenantId, operationId: id });
    expect(await imports.finish(id)).toMatchObject({
      state: 'failed',
      errorCode: 'TRANSFER_ANALYZE_ERROR',
      attemptCount: 5,
      mutationStartedAt: null,
    });
    expect(imports.target.log).not.toContain('raise fence');
  });

  it('waits for an object store that breaks off while a file is read', async () => {
    const id = await imports.start(sitePackage());
    await imports.finish(id, ({ stage }) => stage === 'schema');
    const store = Object.create(imports.store) as ObjectStore;
    store.get = async () => ({ size: 1, modifiedAt: new Date(), bytes: brokenStream() });
    const deps = Object.assign(Object.create(imports.deps) as TransferDeps, { store });
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await imports.endDelays(id);
      expect(await runOperation(imports.ctx, deps, id, () => true)).toBe('postponed');
    }
    expect(await imports.operation(id)).toMatchObject({ state: 'running', attemptCount: 0 });
    expect(await imports.finish(id)).toMatchObject({ state: 'complete' });
  });

  it('is repeated, and fails the import with TRANSFER_IMPORT_ERROR the fifth time', async () => {
    const id = await imports.start(sitePackage());
    await imports.finish(id, ({ stage }) => stage === 'rebuild');
    imports.target.beforeCall = () => {
      throw new Error('broken');
    };
    expect(await imports.finish(id)).toMatchObject({
      state: 'failed',
      errorCode: 'TRANSFER_IMPORT_ERROR',
      attemptCount: 5,
    });
    expect(imports.target.isFenced).toBe(true);
  });
});
