import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { ObjectStoreFull, ObjectStoreUnavailable } from '@quire/object-store';
import { useFixture } from '@quire/testing';
import { openSiteExports } from './exports.fixture.js';
import { advanceTransferExport } from './exports.operations.js';

let number = 0;
const exports = useFixture(() => openSiteExports(`spec-of-operations-${number++}`), { lifetime: 'test' });

const stepsOf = (id: string) =>
  exports.ctx.db.query(
    `SELECT state, lease_token IS NOT NULL AS "isLeased", last_error_code AS code, due_at > now() AS "isLater"
     FROM cms_transfer.transfer_steps WHERE operation_id = $1`,
    [id],
  );
/** Fails calls of one internal operation. */
function failCalls(operation: string, error: Error): void {
  exports.owners.beforeCall = ({ id }) => {
    if (id === operation) throw error;
  };
}
const concurrentWrites = new QuireError('TRANSFER_EXPORT_CONCURRENT_WRITES', 'Retry');
const down = new ObjectStoreUnavailable(new Error('ECONNREFUSED'));

describe('a process that has lost its lease', () => {
  it('records nothing of its step', async () => {
    const id = await exports.start();
    const before = await exports.operation(id);
    exports.owners.beforeCall = () => {
      exports.owners.beforeCall = () => undefined;
      return exports.takeOver(id);
    };
    expect(await exports.step(id)).toBe('leased');
    expect(await exports.operation(id)).toEqual({ ...before, cursor: { copies: 1 } });
    expect(await stepsOf(id)).toEqual([expect.objectContaining({ state: 'leased', isLeased: true })]);
  });

  it.each([new Error('broken'), new QuireError('STORAGE_QUOTA_EXCEEDED', 'Full'), down])(
    'records no failure of its step (%s)',
    async (error) => {
      const id = await exports.start();
      const before = await exports.operation(id);
      exports.owners.beforeCall = async () => {
        await exports.takeOver(id);
        throw error;
      };
      await exports.step(id);
      expect(await exports.operation(id)).toEqual({ ...before, cursor: { copies: 1 } });
      expect(await stepsOf(id)).toEqual([{ state: 'leased', isLeased: true, code: null, isLater: true }]);
    },
  );
});

describe('a process that has lost its lease while it copies records', () => {
  it('does not replace the copies of its successor', async () => {
    const id = await exports.start();
    exports.owners.beforeCall = async () => {
      exports.owners.beforeCall = () => undefined;
      await exports.takeOver(id);
      await exports.endLease(id);
      expect(await exports.step(id)).toBe('continued');
    };
    expect(await exports.step(id)).toBe('leased');
    const row = await exports.operation(id);
    expect(row.cursor).toMatchObject({ copies: 2, kind: 'principals' });
    expect([...exports.owners.copies.keys()].sort()).toEqual(
      ['content', 'media', 'search'].flatMap((owner) => [`${owner} ${id}-1`, `${owner} ${id}-2`]),
    );
    exports.owners.copies.delete(`content ${id}-1`);
    expect(await exports.finish(id)).toMatchObject({ state: 'complete', cursor: { restarts: 0 } });
  });
});

describe('two processes', () => {
  it('take one step at a time', async () => {
    const id = await exports.start();
    const outcomes: string[] = [];
    exports.owners.beforeCall = async () => {
      outcomes.push(await exports.step(id));
    };
    expect(await exports.step(id)).toBe('continued');
    expect(outcomes).toEqual(['leased', 'leased', 'leased']);
    expect(exports.owners.stagings).toBe(1);
  });
});

describe('an outage', () => {
  it.each(['put', 'get', 'stat', 'list', 'deleteMany'] as const)(
    'of the object store is waited for, however often %s fails',
    async (method) => {
      const id = await exports.start();
      exports.storeErrors.set(method, down);
      // Objects of an earlier attempt.
      if (method === 'deleteMany') await storeLeftover(id);
      let failures = 0;
      for (let steps = 0; steps < 60 && failures < 8; steps += 1)
        if ((await exports.step(id)) === 'postponed') failures += 1;
      expect([failures, (await exports.operation(id)).attemptCount]).toEqual([8, 0]);
      expect(await stepsOf(id)).toEqual([
        { state: 'retry', isLeased: false, code: 'UNAVAILABLE', isLater: true },
      ]);
      exports.storeErrors.clear();
      expect(await exports.finish(id)).toMatchObject({ state: 'complete', cursor: { restarts: 0 } });
    },
  );

  it('of a service is waited for', async () => {
    const id = await exports.start();
    failCalls('readSiteRecords', new QuireError('SERVICE_UNAVAILABLE', 'Later'));
    for (let attempts = 0; attempts < 10; attempts += 1) await exports.step(id);
    expect(await exports.operation(id)).toMatchObject({ state: 'running', attemptCount: 0 });
    exports.owners.beforeCall = () => undefined;
    expect(await exports.finish(id)).toMatchObject({ state: 'complete' });
  });

  async function storeLeftover(id: string): Promise<void> {
    await exports.step(id);
    await exports.step(id);
    expect(await exports.objects(id)).toHaveLength(1);
    await exports.ctx.db.query(
      `UPDATE transfer_operations SET state = 'pending', stage = NULL, cursor = '{}' WHERE id = $1`,
      [id],
    );
  }
});

describe('a failed step', () => {
  it('is repeated: TRANSFER_EXPORT_CONCURRENT_WRITES four times', async () => {
    const id = await exports.start();
    failCalls('stageSiteRecords', concurrentWrites);
    for (let attempts = 0; attempts < 4; attempts += 1) expect(await exports.step(id)).toBe('postponed');
    expect(await exports.operation(id)).toMatchObject({ state: 'pending', attemptCount: 4 });
    exports.owners.beforeCall = () => undefined;
    expect(await exports.finish(id)).toMatchObject({ state: 'complete', attemptCount: 0 });
  });

  it('is repeated by clients after its delay', async () => {
    const id = await exports.start();
    failCalls('stageSiteRecords', concurrentWrites);
    expect((await advanceTransferExport(exports.ctx, exports.deps, id)).nextRequestInMs).toBe(1000);
    expect(exports.owners.stagings).toBe(0);
    exports.owners.beforeCall = () => undefined;
    expect((await advanceTransferExport(exports.ctx, exports.deps, id)).nextRequestInMs).toBe(1000);
    expect(exports.owners.stagings).toBe(0);
    await exports.endDelay(id);
    expect((await advanceTransferExport(exports.ctx, exports.deps, id)).nextRequestInMs).toBe(0);
    expect(exports.owners.stagings).toBe(1);
  });

  it.each([
    [concurrentWrites, 'TRANSFER_EXPORT_CONCURRENT_WRITES'],
    [new Error('broken'), 'TRANSFER_EXPORT_ERROR'],
  ])('fails the export the fifth time (%s)', async (error, errorCode) => {
    const id = await exports.start();
    failCalls('stageSiteRecords', error);
    expect(await exports.finish(id)).toMatchObject({ state: 'failed', attemptCount: 5, errorCode });
  });

  it('fails the export at once when the store is full', async () => {
    const id = await exports.start();
    exports.storeErrors.set('put', new ObjectStoreFull(new Error('ENOSPC')));
    const row = await exports.finish(id);
    expect(row).toMatchObject({ state: 'failed', attemptCount: 1, errorCode: 'STORAGE_QUOTA_EXCEEDED' });
    expect(row.completedAt).not.toBeNull();
  });
});

describe('the files of an export', () => {
  const expire = (id: string) =>
    exports.ctx.db.query("UPDATE transfer_operations SET expires_at = now() - interval '1 s' WHERE id = $1", [
      id,
    ]);

  it('exist until it expires: then files, objects and copies are deleted, and it is expired', async () => {
    const id = await exports.start();
    await exports.finish(id);
    expect(await exports.step(id)).toBe('finished');
    expect(await exports.objects(id)).not.toEqual([]);
    await expire(id);
    // The services are down at first.
    failCalls('discardSiteRecords', new QuireError('SERVICE_UNAVAILABLE', 'Later'));
    expect(await exports.step(id)).toBe('postponed');
    expect(await exports.operation(id)).toMatchObject({ state: 'expired', stagingCollectedAt: null });
    exports.owners.beforeCall = () => undefined;
    expect(await exports.step(id)).toBe('ended');
    const row = await exports.operation(id);
    expect([row.state, row.stagingCollectedAt === null]).toEqual(['expired', false]);
    expect([
      await exports.files(id),
      await exports.objects(id),
      [...exports.owners.copies.keys(), ...exports.owners.keptFiles],
    ]).toEqual([[], [], []]);
    expect(await stepsOf(id)).toEqual([]);
    for (const { objectKey } of exports.owners.mediaFiles)
      expect(await exports.deps.store.stat(objectKey)).toBeDefined();
  });

  it('are deleted a day after it failed, and it stays failed', async () => {
    const id = await exports.start();
    failCalls('listSiteMediaFiles', new Error('broken'));
    const failed = await exports.finish(id);
    const lifetime = Date.parse(failed.expiresAt ?? '') - Date.parse(failed.completedAt ?? '');
    expect(Math.round(lifetime / 3_600_000)).toBe(24);
    expect(await stepsOf(id)).toEqual([expect.objectContaining({ state: 'pending', isLater: true })]);
    expect(await exports.objects(id)).not.toEqual([]);
    await expire(id);
    expect(await exports.step(id)).toBe('ended');
    const row = await exports.operation(id);
    expect([row.state, row.stagingCollectedAt === null]).toEqual(['failed', false]);
    expect([
      await exports.files(id),
      await exports.objects(id),
      [...exports.owners.copies.keys(), ...exports.owners.keptFiles],
    ]).toEqual([[], [], []]);
  });
});
