import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { useFixture } from '@quire/testing';
import { checkExecutable } from './check-executable.js';
import { executeTransferImport } from './execute-transfer-import.js';
import { openExecutions, planDigest } from './testing/executions.fixture.js';
import { sitePackage } from './testing/site-package.fixture.js';

let number = 0;
const imports = useFixture(() => openExecutions(`spec-of-execute-${number++}`), { lifetime: 'test' });

const { packageDigest } = sitePackage();
const digests = { packageDigest, planDigest };
const otherDigest = `sha256:${'c'.repeat(64)}`;
const execute = (request: { id: string; packageDigest: string; planDigest: string }) =>
  executeTransferImport(imports.ctx, imports.deps, request);
describe('executeTransferImport', () => {
  it('starts a planned import, and changes nothing before its steps', async () => {
    const id = await imports.plan(sitePackage(), {}, { expiresAt: new Date(Date.now() + 600_000) });
    const row = await execute({ id, ...digests });
    expect(row).toMatchObject({
      state: 'running',
      stage: 'reserve',
      mutationStartedAt: null,
      expiresAt: null,
    });
    expect(row.progress).toMatchObject({ done: 0, records: 0, bytesDone: 0 });
    expect(imports.target.log).toEqual(['inspect content', 'inspect media', 'inspect search']);
  });

  it('returns the first error that applies, as do the checks without a start', async () => {
    const blocked = await imports.operation(await imports.plan(sitePackage()));
    const { id } = blocked;
    const blocker = { code: 'dangling_reference', message: 'x' } as const;
    const plan = blocked.plan && { ...blocked.plan, blockers: [blocker, blocker] };
    await imports.ctx.db.query('UPDATE transfer_operations SET plan = $2 WHERE id = $1', [
      id,
      JSON.stringify(plan),
    ]);
    imports.target.blockers = [{ kind: 'entries', count: 3 }];
    const expectCode = async (request: Parameters<typeof execute>[0], error: object) => {
      await expect(execute(request)).rejects.toMatchObject(error);
      await expect(checkExecutable(imports.ctx, request)).rejects.toMatchObject(error);
    };
    await expectCode(
      { id: 'unknown', packageDigest: otherDigest, planDigest: otherDigest },
      {
        code: 'TRANSFER_OPERATION_NOT_FOUND',
      },
    );
    await expectCode(
      { id, packageDigest: otherDigest, planDigest: otherDigest },
      {
        code: 'TRANSFER_PACKAGE_DIGEST_MISMATCH',
      },
    );
    await expectCode(
      { id, packageDigest, planDigest: otherDigest },
      { code: 'TRANSFER_PLAN_DIGEST_MISMATCH' },
    );
    await expectCode(
      { id, ...digests },
      {
        code: 'TRANSFER_PLAN_BLOCKED',
        details: { codes: ['dangling_reference'] },
      },
    );
    await imports.ctx.db.query("UPDATE transfer_operations SET state = 'analyzing' WHERE id = $1", [id]);
    await expectCode({ id, ...digests }, { code: 'TRANSFER_INVALID_STATE', details: { state: 'analyzing' } });
    expect(imports.target.log).toEqual([]);
  });

  it('rejects a site with records of users at last', async () => {
    const id = await imports.plan(sitePackage());
    imports.target.blockers = [{ kind: 'media_items', count: 3 }];
    await expect(execute({ id, ...digests })).rejects.toMatchObject({
      code: 'TRANSFER_TARGET_NOT_EMPTY',
      details: { kind: 'media_items', count: 3 },
    });
    expect((await imports.operation(id)).state).toBe('planned');
    expect(await checkExecutable(imports.ctx, { id, ...digests })).toMatchObject({ id, state: 'planned' });
  });

  it('starts once for two requests at once', async () => {
    const id = await imports.plan(sitePackage());
    const results = await Promise.allSettled([execute({ id, ...digests }), execute({ id, ...digests })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'TRANSFER_INVALID_STATE' },
    });
  });

  it('does not start when a write of its transaction fails', async () => {
    const id = await imports.plan(sitePackage());
    const write = () => Promise.reject(new QuireError('TRANSFER_APPROVAL_INVALID', 'No'));
    await expect(
      executeTransferImport(imports.ctx, imports.deps, { id, ...digests, write }),
    ).rejects.toMatchObject({ code: 'TRANSFER_APPROVAL_INVALID' });
    expect(await imports.operation(id)).toMatchObject({ state: 'planned', stage: null });
  });
});

describe('an import whose site is no longer empty once it is read-only', () => {
  it('fails without a change, and the site is writable again', async () => {
    const id = await imports.start(sitePackage());
    await imports.step(id);
    expect(imports.target.isFenced).toBe(true);
    imports.target.blockers = [{ kind: 'entries', count: 1 }];
    expect(await imports.finish(id)).toMatchObject({
      state: 'failed',
      errorCode: 'TRANSFER_TARGET_NOT_EMPTY',
      errorDetail: { kind: 'entries', count: 1 },
      mutationStartedAt: null,
      attemptCount: 1,
    });
    expect(imports.target.isFenced).toBe(false);
    expect(imports.target.kinds).toEqual([]);
    // It does not occupy the site.
    imports.target.blockers = [];
    expect(await imports.finish(await imports.start(sitePackage()))).toMatchObject({ state: 'complete' });
  });

  it('becomes writable by the next step when the fence could not be lifted at once', async () => {
    const id = await imports.start(sitePackage());
    await imports.step(id);
    imports.target.blockers = [{ kind: 'entries', count: 1 }];
    const { lift } = imports.target.fence;
    imports.target.fence.lift = () => Promise.reject(new QuireError('SERVICE_UNAVAILABLE', 'Later'));
    expect(await imports.step(id)).toBe('postponed');
    expect([(await imports.operation(id)).state, imports.target.isFenced]).toEqual(['failed', true]);
    imports.target.fence.lift = lift;
    expect(await imports.step(id)).toBe('finished');
    expect(imports.target.isFenced).toBe(false);
  });
});
