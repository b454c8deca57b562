import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ObjectStoreFull, ObjectStoreUnavailable } from '@quire/object-store';
import { buildPackage, recordOf, useFixture } from '@quire/testing';
import { errorOf, openSiteImports } from '../imports.fixture.js';
import { getTransferImport, listTransferImports } from '../imports.operations.js';
import { listTransferImportMissingFiles } from '../upload/list-transfer-import-missing-files.js';

let number = 0;
const site = useFixture(() => openSiteImports(`spec-of-creations-${number++}`), { lifetime: 'test' });

const content = buildPackage({
  records: { menus: ['a', 'b', 'c'].map((id) => recordOf('menus', { id })) },
  recordsPerFile: 1,
  filesPerIndexFile: 1,
});
const other = buildPackage({ manifest: { packageId: 'package-2' } });

const set = (id: string, assignments: string) =>
  site.ctx.db.query(`UPDATE transfer_operations SET ${assignments} WHERE id = $1`, [id]);

describe('createTransferImport', () => {
  it('creates an import that waits for the files of the index', async () => {
    const { operation, created } = await site.create(content, 'key-1');
    expect(created).toBe(true);
    expect(operation).toMatchObject({
      ...{ kind: 'import', state: 'uploading', stage: null, idempotencyKey: 'key-1' },
      ...{ packageDigest: content.packageDigest, originSiteId: 'site-1' },
    });
    const days = (Date.parse(String(operation.expiresAt)) - Date.parse(operation.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const missing = await listTransferImportMissingFiles(site.ctx, { id: operation.id, limit: 50 });
    expect(missing).toEqual({ items: content.manifest.index });
    expect((await getTransferImport(site.ctx, operation.id)).files).toEqual({ declared: 3, verified: 0 });
    expect(await site.objects(operation.id)).toEqual(['manifest.json']);
  });

  it('creates an import of a package without files', async () => {
    const id = await site.start(buildPackage());
    expect((await getTransferImport(site.ctx, id)).files).toEqual({ declared: 0, verified: 0 });
  });

  it('returns the import of an earlier request with the same key and manifest', async () => {
    const first = await site.create(content, 'key-1');
    expect(await site.create(content, 'key-1')).toEqual({ operation: first.operation, created: false });
    expect((await errorOf(site.create(other, 'key-1'))).code).toBe('TRANSFER_IDEMPOTENCY_CONFLICT');
  });

  it('creates one import for requests with one key at the same time', async () => {
    const created = await Promise.all([1, 2, 3].map(() => site.create(content, 'key-1')));
    expect(new Set(created.map(({ operation }) => operation.id)).size).toBe(1);
    expect(created.filter(({ created: isNew }) => isNew)).toHaveLength(1);
  });

  it('rejects a second import, with the id of the first, until that has ended', async () => {
    const id = await site.start(content);
    for (const state of ['uploading', 'analyzing', 'planned', 'running', 'verifying']) {
      await set(id, `state = '${state}'`);
      expect(await errorOf(site.create(other))).toEqual({
        code: 'TRANSFER_INVALID_STATE',
        details: { operationId: id, state },
      });
    }
    await set(id, "state = 'failed', mutation_started_at = now()");
    expect((await errorOf(site.create(other))).code).toBe('TRANSFER_INVALID_STATE');
    await set(id, "state = 'abandoned'");
    expect((await site.create(other)).created).toBe(true);
  });

  it('frees the key of an ended import after a day', async () => {
    const first = await site.create(content, 'key-1');
    await set(first.operation.id, "state = 'cancelled', created_at = now() - interval '23 hours'");
    expect((await site.create(content, 'key-1')).created).toBe(false);
    await set(first.operation.id, "created_at = now() - interval '25 hours'");
    expect((await site.create(other, 'key-1')).created).toBe(true);
  });

  it('keeps the key of an import that has not ended', async () => {
    const first = await site.create(content, 'key-1');
    await set(first.operation.id, "created_at = now() - interval '3 days'");
    expect((await site.create(content, 'key-1')).operation.id).toBe(first.operation.id);
  });

  it('does not wait for the worker that expires an import whose time has passed', async () => {
    const first = await site.create(content, 'key-1');
    await set(first.operation.id, "expires_at = now(), created_at = now() - interval '7 days'");
    const second = await site.create(content, 'key-1');
    expect(second.created).toBe(true);
    expect(await site.operation(first.operation.id)).toMatchObject({ state: 'expired' });
    const { items } = await listTransferImports(site.ctx, { limit: 50 });
    expect(items.map(({ state }) => state)).toEqual(['uploading', 'expired']);
  });

  it.each<[string, Error]>([
    ['SERVICE_UNAVAILABLE', new ObjectStoreUnavailable(new Error('ECONNREFUSED'))],
    ['STORAGE_QUOTA_EXCEEDED', new ObjectStoreFull(new Error('ENOSPC'))],
  ])('leaves nothing when the store fails (%s)', async (code, error) => {
    site.storeErrors.set('put', error);
    expect((await errorOf(site.create(content, 'key-1'))).code).toBe(code);
    expect(await listTransferImports(site.ctx, { limit: 50 })).toEqual({ items: [] });
    site.storeErrors.clear();
    expect((await site.create(other, 'key-1')).created).toBe(true);
  });
});
