import 'reflect-metadata';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { mediaApi, type InternalOperation } from '@quire/internal-api';
import { ObjectStoreFull, type ObjectStore } from '@quire/object-store';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import type { FastifyReply } from 'fastify';
import { monotonicFactory } from 'ulid';
import { transferTables } from '../../migrations/index.js';
import type { TransferDeps } from '../../transfer-deps.js';
import { transferEntities } from '../../transfer.module.js';
import type { ImportState } from './import.entity.js';
import { emptyChannel, noCounts } from './import-state.js';
import { importSteps } from './import-steps.repository.js';
import {
  failAbandonedImports,
  insertImport,
  selectImport,
  selectUnfinishedImport,
} from './imports.repository.js';
import { runImportSteps } from './run-import.js';
import { RunsController } from './runs.controller.js';
import { resumeImport } from './start-import.js';

const tenantId = 'spec-of-import-faults';
/** Imports of the same millisecond are ordered by their ids. */
const nextId = monotonicFactory();
const hash = '0123456789abcdef';
const use = { usedBytes: 1234, limitBytes: 2000 };
let transfer: ServiceTenant;

beforeAll(async () => {
  transfer = await openServiceTenant(tenantId, 'transfer', transferTables, transferEntities);
});
beforeEach(() => transfer.ctx.db.query('DELETE FROM imports'));
afterAll(() => transfer.close());

/** Dependencies whose content service fails with the error, and whose store is full. */
function depsFailingWith(error: Error): TransferDeps {
  const store: Partial<ObjectStore> = {
    put: () => Promise.reject(new ObjectStoreFull(new Error('ENOSPC'))),
    delete: () => Promise.resolve(),
  };
  const media = {
    call: ({ id }: InternalOperation) =>
      id === mediaApi.getStorageUse.id ? Promise.resolve(use) : Promise.reject(new Error(id)),
  };
  return {
    clients: { content: { call: () => Promise.reject(error) }, media },
    store,
    logger: { warn: () => undefined },
    fence: { isRaised: () => Promise.resolve(false) },
    wakeDispatcher: () => undefined,
    options: { maxImportBytes: 1_000_000 },
  } as unknown as TransferDeps;
}

describe('POST /import/legacy/execute with a full storage', () => {
  const text = [
    '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>A</title>',
    `<wp:wxr_version>1.2</wp:wxr_version>${'<item><title>Item</title></item>\n'.repeat(5_000)}</channel></rss>`,
  ].join('\n');
  const parts = [
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a.xml"\r\n\r\n${text}\r\n`,
    '--b\r\nContent-Disposition: form-data; name="config"\r\n\r\n{"postTypeMappings":{}}\r\n--b--\r\n',
  ];
  const form = (): StreamedBody => ({
    bytes: Readable.from(parts.map((part) => Buffer.from(part))),
    contentType: 'multipart/form-data; boundary=b',
    contentLength: undefined,
    signal: new AbortController().signal,
  });

  it.each([{}, { accept: 'application/x-ndjson' }])(
    'is 507 with the space that the files of the site take, and leaves nothing (%j)',
    async (headers) => {
      const controller = new RunsController(depsFailingWith(new Error('not called')));
      const response = controller.execute(transfer.ctx, form(), headers, {} as FastifyReply);
      await expect(response).rejects.toMatchObject({
        code: 'STORAGE_QUOTA_EXCEEDED',
        status: 507,
        details: use,
      });
      expect(await transfer.ctx.db.query('SELECT 1 FROM imports')).toEqual([]);
      expect(await transfer.ctx.db.query('SELECT 1 FROM import_items')).toEqual([]);
    },
  );
});

/** Creates an import whose next step calls the content service. */
async function insertNew(values: { state?: ImportState; fileKey?: string | null } = {}): Promise<string> {
  const { db } = transfer.ctx;
  const { id } = await insertImport(db, {
    id: nextId(),
    source: 'wxr',
    site: 'old.example',
    state: 'running',
    phase: 'content',
    config: {
      mappings: {},
      skipExisting: true,
      authorMappings: {},
      locale: 'en',
      importSections: true,
      importComments: true,
      importMenus: true,
    },
    channel: emptyChannel,
    fileKey: 'file',
    fileHash: hash,
    counts: noCounts,
    requestedBy: 'system',
    ...values,
  });
  await importSteps.enqueue(db, { tenantId, importId: id });
  return id;
}

/** Takes the next step of a new import, whose call of the content service fails. */
async function failStep(error: Error) {
  const importId = await insertNew();
  await runImportSteps(transfer.ctx, depsFailingWith(error), { tenantId, importId });
  const row = await selectImport(transfer.ctx.db, importId);
  return { state: row?.state, attempts: row?.attempts, error: row?.error };
}

describe('a step of an import whose call fails', () => {
  it.each([
    new QuireError('NOT_FOUND', 'No such collection'),
    new QuireError('VALIDATION_ERROR', 'entries.0: is wrong'),
    new QuireError('IMPORT_TAXONOMY_CONFLICT', 'The term has another group'),
  ])('fails the import at once with the cause ($code)', async (error) => {
    const { code, message } = error;
    expect(await failStep(error)).toEqual({ state: 'failed', attempts: 1, error: { code, message } });
  });

  it.each([new Error('The content service failed: 500'), new QuireError('CONFLICT', 'Changed meanwhile')])(
    'is repeated after another failure ($message)',
    async (error) => {
      expect(await failStep(error)).toEqual({ state: 'running', attempts: 1, error: null });
    },
  );

  it('is repeated without end while the service is unavailable', async () => {
    const error = new QuireError('SERVICE_UNAVAILABLE', 'Not now');
    expect(await failStep(error)).toEqual({ state: 'running', attempts: 0, error: null });
  });
});

describe('an import of a site that a site import writes to', () => {
  it('takes no step, and is due again soon with all of its attempts', async () => {
    const importId = await insertNew();
    const deps = {
      ...depsFailingWith(new Error('not called')),
      fence: { isRaised: () => Promise.resolve(true) },
    } as unknown as TransferDeps;
    expect(await runImportSteps(transfer.ctx, deps, { tenantId, importId })).toBe('paused');
    expect(await selectImport(transfer.ctx.db, importId)).toMatchObject({ state: 'running', attempts: 0 });
    expect(
      await transfer.ctx.db.query(
        `SELECT state, due_at > now() AND due_at < now() + interval '10 seconds' AS "isSoon", lease_token AS token
         FROM cms_transfer.import_steps WHERE tenant_id = $1 AND import_id = $2`,
        [tenantId, importId],
      ),
    ).toEqual([{ state: 'pending', isSoon: true, token: null }]);
  });
});

describe('resumeImport', () => {
  const resume = (importId: string) => resumeImport(transfer.ctx, depsFailingWith(new Error()), importId);
  const stateOf = async (importId: string) => (await selectImport(transfer.ctx.db, importId))?.state;

  it('throws for a failed import whose file has been deleted', async () => {
    const importId = await insertNew({ state: 'failed', fileKey: null });
    await expect(resume(importId)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await stateOf(importId)).toBe('failed');
  });

  it('throws for one whose file was not received to its end', async () => {
    const importId = await insertNew({ state: 'reading' });
    await transfer.ctx.db.query(`UPDATE imports SET updated_at = now() - interval '1 hour'`);
    expect(await failAbandonedImports(transfer.ctx.db)).toEqual([importId]);
    await expect(resume(importId)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await stateOf(importId)).toBe('failed');
  });

  it('throws while another import of the site runs', async () => {
    const failed = await insertNew({ state: 'failed' });
    await insertNew();
    await expect(resume(failed)).rejects.toMatchObject({ code: 'IMPORT_RUNNING', status: 409 });
    expect(await stateOf(failed)).toBe('failed');
  });
});

describe('selectUnfinishedImport', () => {
  const unfinished = () => selectUnfinishedImport(transfer.ctx.db, hash);

  it.each(['running', 'paused', 'failed'] as const)(
    'returns the last import of a file that is %s',
    async (state) => {
      await insertNew({ state: 'complete', fileKey: null });
      const importId = await insertNew({ state });
      expect(await unfinished()).toBe(importId);
      expect(await selectUnfinishedImport(transfer.ctx.db, 'f'.repeat(16))).toBeUndefined();
    },
  );

  it('returns none that is older than a complete one, or without its file', async () => {
    await insertNew({ state: 'failed' });
    await insertNew({ state: 'complete', fileKey: null });
    expect(await unfinished()).toBeUndefined();
    await insertNew({ state: 'failed', fileKey: null });
    expect(await unfinished()).toBeUndefined();
  });
});
