import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { buildPackage, recordOf, useFixture } from '@quire/testing';
import { errorOf, openSiteImports } from './imports.fixture.js';
import { findImport } from './find-import.js';
import { getTransferImport } from './imports.operations.js';

let number = 0;
const site = useFixture(() => openSiteImports(`spec-of-expiry-${number++}`), { lifetime: 'test' });

const content = buildPackage({ records: { menus: [recordOf('menus')] } });
const steps = (id: string) =>
  site.ctx.db.query<{ isLater: boolean }>(
    `SELECT due_at > now() + interval '6 days' AS "isLater" FROM cms_transfer.transfer_steps WHERE operation_id = $1`,
    [id],
  );
const set = (id: string, assignments: string) =>
  site.ctx.db.query(`UPDATE transfer_operations SET ${assignments} WHERE id = $1`, [id]);
const passed = "expires_at = now() - interval '1 second'";

async function startUploaded(): Promise<string> {
  const id = await site.start(content);
  await site.uploadAll(id, content);
  return id;
}

describe('an import that is not executed', () => {
  it('waits for its expiry without steps', async () => {
    const id = await startUploaded();
    expect(await site.step(id)).toBe('finished');
    expect(await steps(id)).toEqual([{ isLater: true }]);
    expect(await site.objects(id)).toHaveLength(3);
  });

  it.each(['uploading', 'planned'])('expires while it is %s: its files are deleted', async (state) => {
    const id = await startUploaded();
    await set(id, `state = '${state}', ${passed}`);
    expect((await errorOf(findImport(site.ctx, id))).code).toBe('TRANSFER_EXPIRED');
    expect(await site.step(id)).toBe('ended');
    expect(await site.operation(id)).toMatchObject({
      state: 'expired',
      stagingCollectedAt: expect.any(String),
    });
    expect([await site.objects(id), await steps(id)]).toEqual([[], []]);
    expect(site.discarded).toEqual([id, id, id]);
    expect(await site.ctx.db.query('SELECT 1 FROM transfer_files')).toEqual([]);
    expect((await errorOf(findImport(site.ctx, id))).code).toBe('TRANSFER_EXPIRED');
    expect((await getTransferImport(site.ctx, id)).operation.state).toBe('expired');
  });

  it('loses the files of an import that another creation has expired', async () => {
    const id = await startUploaded();
    await set(id, passed);
    await site.create(buildPackage());
    expect(await site.operation(id)).toMatchObject({ state: 'expired', stagingCollectedAt: null });
    await site.step(id);
    expect(await site.objects(id)).toEqual([]);
  });
});

describe('an import that has ended', () => {
  it.each(['complete', 'failed', 'cancelled', 'abandoned'])(
    'is still %s after its files are deleted',
    async (state) => {
      const id = await startUploaded();
      await set(id, `state = '${state}', ${passed}`);
      expect(await site.step(id)).toBe('ended');
      expect(await site.operation(id)).toMatchObject({ state, stagingCollectedAt: expect.any(String) });
      expect(await site.objects(id)).toEqual([]);
    },
  );
});
