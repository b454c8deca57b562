import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildPackage,
  recordOf,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { completeExport, downloadAs, exportsPath, importsPath, sha256 } from './support.js';

const site = useSite();
const otherSite = useSite();
let admin: Client;

const content = buildPackage({ records: { menus: [recordOf('menus', { id: 'm' })] } });
const digest = `sha256:${'0'.repeat(64)}`;
const index = 'index/000001.ndjson';

/** Every operation on one import. */
const operations: Record<string, (client: Client, id: string) => Promise<ApiResponse>> = {
  get: (client, id) => client.get(`${importsPath}/${id}`),
  missing: (client, id) => client.get(`${importsPath}/${id}/missing`),
  upload: (client, id) =>
    client.put(`${importsPath}/${id}/files/${index}`, undefined, { rawBody: content.files.get(index)! }),
  analyze: (client, id) => client.post(`${importsPath}/${id}/analyze`),
  plan: (client, id) => client.get(`${importsPath}/${id}/plan`),
  execute: (client, id) =>
    client.post(`${importsPath}/${id}/execute`, { packageDigest: content.packageDigest, planDigest: digest }),
  advance: (client, id) => client.post(`${importsPath}/${id}/advance`),
  cancel: (client, id) => client.post(`${importsPath}/${id}/cancel`),
  abandon: (client, id) => client.post(`${importsPath}/${id}/abandon`),
  receipt: (client, id) => client.get(`${importsPath}/${id}/receipt`),
};

/**
 * The operations that a state refuses. Those that it allows have tests of what they do, but for those that change
 * nothing: they are 200 here.
 */
const stateTable: Record<string, { refused: string[]; harmless: string[] }> = {
  uploading: { refused: ['plan', 'execute', 'advance', 'abandon', 'receipt'], harmless: ['get', 'missing'] },
  analyzing: {
    refused: ['upload', 'plan', 'execute', 'advance', 'abandon', 'receipt'],
    harmless: ['get', 'missing'],
  },
  planned: { refused: ['upload', 'advance', 'abandon', 'receipt'], harmless: ['get', 'missing'] },
  running: {
    refused: ['upload', 'analyze', 'execute', 'abandon', 'receipt'],
    harmless: ['get', 'missing'],
  },
  verifying: {
    refused: ['upload', 'analyze', 'execute', 'abandon', 'receipt'],
    harmless: ['get', 'missing'],
  },
  complete: {
    refused: ['upload', 'analyze', 'execute', 'cancel', 'abandon'],
    harmless: ['get', 'missing', 'advance'],
  },
  failed: {
    refused: ['upload', 'analyze', 'execute', 'cancel', 'receipt'],
    harmless: ['get', 'missing', 'advance'],
  },
  cancelled: {
    refused: ['upload', 'analyze', 'execute', 'cancel', 'receipt'],
    harmless: ['get', 'missing', 'advance'],
  },
  abandoned: {
    refused: ['upload', 'analyze', 'execute', 'cancel', 'abandon', 'receipt'],
    harmless: ['get', 'missing', 'advance'],
  },
};

let id: string;
beforeAll(async () => {
  admin = await site.as('admin');
  const headers = { 'content-type': 'application/json' };
  const { data } = await admin.post(importsPath, undefined, { rawBody: content.manifestBytes, headers });
  id = data.operation.id as string;
  // The states are those that the test sets: no worker takes steps.
  await site.sql('DELETE FROM cms_transfer.transfer_steps WHERE operation_id = $1', [id]);
});

const set = (assignments: string) =>
  site.sql(`UPDATE transfer_operations SET ${assignments} WHERE id = $1`, [id]);

describe('operations on an import (contract 25)', () => {
  it.each(Object.keys(stateTable))(
    'are TRANSFER_INVALID_STATE while it is %s, unless it allows them',
    async (state) => {
      const { refused = [], harmless = [] } = stateTable[state] ?? {};
      await set(`state = '${state}', plan_digest = '${digest}'`);
      for (const name of refused) {
        const response = await operations[name]!(admin, id);
        expect([name, ...statusAndCode(response)]).toEqual([name, 409, 'TRANSFER_INVALID_STATE']);
        expect(response.error.details).toMatchObject({ operationId: id, state });
      }
      for (const name of harmless)
        expect([name, (await operations[name]!(admin, id)).status]).toEqual([name, 200]);
      expect((await operations['get']!(admin, id)).data.operation.state).toBe(state);
    },
  );

  it.each(['uploading', 'analyzing', 'planned', 'expired'])(
    'are TRANSFER_EXPIRED after its time while it is %s, but it is shown',
    async (state) => {
      await set(`state = '${state}', expires_at = now() - interval '1 second'`);
      for (const [name, call] of Object.entries(operations).filter(([each]) => each !== 'get'))
        expect([name, ...statusAndCode(await call(admin, id))]).toEqual([name, 410, 'TRANSFER_EXPIRED']);
      expect((await operations['get']!(admin, id)).status).toBe(200);
      await set("expires_at = now() + interval '1 day'");
    },
  );

  it('are TRANSFER_OPERATION_NOT_FOUND for imports of another site and for exports, and change nothing', async () => {
    await set("state = 'planned'");
    const other = await otherSite.as('admin');
    const { data } = await admin.post(exportsPath);
    const exportId = data.operation.id as string;
    for (const [name, call] of Object.entries(operations)) {
      const responses = [await call(other, id), await call(admin, exportId)];
      for (const response of responses)
        expect([name, ...statusAndCode(response)]).toEqual([name, 404, 'TRANSFER_OPERATION_NOT_FOUND']);
    }
    for (const path of [importsPath, exportsPath]) expect((await other.get(path)).data.items).toEqual([]);
    const { operation } = await completeExport(admin, exportId);
    expect(operation.state).toBe('complete');
    expect((await operations['get']!(admin, id)).data.operation).toMatchObject({
      state: 'planned',
      cancelRequestedAt: null,
    });
  });
});

describe('operations on an export (contract 25)', () => {
  let exportId: string;
  const get = (client: Client, path = '') => client.get(`${exportsPath}/${exportId}${path}`);
  const downloads = ['/manifest', '/files/manifest.json', '/archive'];
  beforeAll(async () => {
    const { data } = await admin.post(exportsPath);
    exportId = data.operation.id as string;
    await completeExport(admin, exportId);
    await site.sql('DELETE FROM cms_transfer.transfer_steps WHERE operation_id = $1', [exportId]);
  });

  it('download its manifest as the exact bytes of the package digest', async () => {
    const { operation } = (await get(admin)).data;
    const { status, headers, bytes } = await downloadAs(site, admin, `${exportsPath}/${exportId}/manifest`);
    expect([status, `sha256:${sha256(bytes)}`]).toEqual([200, operation.packageDigest]);
    expect(headers['content-type']).toMatch(/^application\/json/);
    const archive = await downloadAs(site, admin, `${exportsPath}/${exportId}/archive`);
    expect(archive.headers['content-disposition']).toMatch(/^attachment/);
    const { cursor, plan, writeEpoch, runtimeGeneration } = operation;
    expect([cursor, plan, writeEpoch, runtimeGeneration]).toEqual(Array(4).fill(undefined));
  });

  it.each([
    ['pending', 409, 'TRANSFER_INVALID_STATE'],
    ['running', 409, 'TRANSFER_INVALID_STATE'],
    ['failed', 409, 'TRANSFER_INVALID_STATE'],
    ['expired', 410, 'TRANSFER_EXPIRED'],
  ])('that download it are refused while it is %s, and totals are not shown', async (state, status, code) => {
    await site.sql('UPDATE transfer_operations SET state = $2 WHERE id = $1', [exportId, state]);
    for (const path of downloads)
      expect([path, ...statusAndCode(await get(admin, path))]).toEqual([path, status, code]);
    const { data } = await get(admin);
    expect([data.operation.state, data.totals]).toEqual([state, undefined]);
  });

  it.each(['complete', 'failed', 'expired'])('take no step once it is %s', async (state) => {
    await site.sql('UPDATE transfer_operations SET state = $2 WHERE id = $1', [exportId, state]);
    const { status, data } = await admin.post(`${exportsPath}/${exportId}/advance`);
    expect([status, data.operation.state, data.nextRequestInMs]).toEqual([200, state, null]);
  });

  it('are TRANSFER_OPERATION_NOT_FOUND for exports of another site and for imports', async () => {
    const other = await otherSite.as('admin');
    const notFound = [404, 'TRANSFER_OPERATION_NOT_FOUND'];
    for (const path of ['', ...downloads]) {
      expect(statusAndCode(await get(other, path))).toEqual(notFound);
      expect(statusAndCode(await admin.get(`${exportsPath}/${id}${path}`))).toEqual(notFound);
    }
    for (const [client, each] of [
      [other, exportId],
      [admin, id],
    ] as const)
      expect(statusAndCode(await client.post(`${exportsPath}/${each}/advance`))).toEqual(notFound);
  });
});
