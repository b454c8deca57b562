import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildPackage,
  describePermissions,
  eventually,
  recordOf,
  statusAndCode,
  useSite,
  type Call,
  type Client,
} from '@quire/testing';

const importsPath = '/admin/transfer/imports';
/** Workers of a loaded machine take their time. */
const maxDelayMs = 100;
const otherDigest = `sha256:${'0'.repeat(64)}`;

const site = useSite();
/** Sites that receive an import. */
const imported = useSite();
const abandonedSite = useSite();
let admin: Client;

const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:05.678Z' };
const content = buildPackage({
  records: {
    settings: [
      recordOf('settings', { key: 'tagline', value: 'Tagline of the package' }),
      recordOf('settings', { key: 'title', value: 'Title of the package' }),
    ],
    menus: [
      recordOf('menus', {
        id: 'm-1',
        name: 'main',
        label: 'Main',
        locale: 'en',
        translationGroup: 'g-1',
        ...times,
      }),
    ],
    menu_items: [
      recordOf('menu_items', {
        id: 'i-1',
        menuId: 'm-1',
        label: 'Child',
        parentId: 'i-2',
        translationGroup: 'h-1',
        customUrl: '/a',
      }),
      recordOf('menu_items', {
        id: 'i-2',
        menuId: 'm-1',
        label: 'Parent',
        translationGroup: 'h-2',
        customUrl: '/b',
      }),
    ],
  },
});

interface Planned {
  id: string;
  packageDigest: string;
  planDigest: string;
}

/** Uploads a package and takes the steps of its analysis. */
async function plan(client: Client, decisions = {}): Promise<Planned> {
  const { manifestBytes: rawBody, files, packageDigest } = content;
  const headers = { 'content-type': 'application/json' };
  const { data } = await client.post(importsPath, undefined, { rawBody, headers });
  const id = data.operation.id as string;
  for (const [path, bytes] of files)
    expect(
      (await client.put(`${importsPath}/${id}/files/${path}`, undefined, { rawBody: bytes })).status,
    ).toBe(200);
  for (;;) {
    const analyzed = await client.post(`${importsPath}/${id}/analyze`, { decisions });
    expect([analyzed.status, analyzed.data?.operation.errorCode]).toEqual([200, null]);
    if (analyzed.data.nextRequestInMs !== null) {
      await wait(Math.min(analyzed.data.nextRequestInMs as number, maxDelayMs));
      continue;
    }
    expect(analyzed.data.plan.blockers).toEqual([]);
    return { id, packageDigest, planDigest: analyzed.data.planDigest as string };
  }
}

const execute = (client: Client, { id, ...body }: Planned) =>
  client.post(`${importsPath}/${id}/execute`, body);

/** Takes the steps of a started import, as its worker does too. */
async function advanceToEnd(client: Client, id: string) {
  for (;;) {
    const { status, data } = await client.post(`${importsPath}/${id}/advance`);
    expect(status).toBe(200);
    if (data.nextRequestInMs === null) return data.operation;
    await wait(Math.min(data.nextRequestInMs as number, maxDelayMs));
  }
}

beforeAll(async () => {
  admin = await site.as('admin');
});

describe('POST admin/transfer/imports/{id}/execute', () => {
  it('imports the package by its steps, ends with a receipt, and leaves the site writable (contract 25)', async () => {
    const client = await imported.as('admin');
    const { data: before } = await client.get('/settings');
    const planned = await plan(client, { siteTitle: 'target' });
    const { id, packageDigest, planDigest } = planned;
    const mismatch = await execute(client, { ...planned, packageDigest: otherDigest });
    expect(statusAndCode(mismatch)).toEqual([409, 'TRANSFER_PACKAGE_DIGEST_MISMATCH']);
    const otherPlan = await execute(client, { ...planned, planDigest: otherDigest });
    expect(statusAndCode(otherPlan)).toEqual([409, 'TRANSFER_PLAN_DIGEST_MISMATCH']);
    const early = await client.get(`${importsPath}/${id}/receipt`);
    expect(statusAndCode(early)).toEqual([409, 'TRANSFER_INVALID_STATE']);
    const started = await execute(client, planned);
    expect(started.data.operation).toMatchObject({ id, state: 'running', stage: 'reserve' });
    expect(statusAndCode(await execute(client, planned))).toEqual([409, 'TRANSFER_INVALID_STATE']);
    const ended = await advanceToEnd(client, id);
    expect(ended).toMatchObject({ state: 'complete', stage: null, error: null });
    expect(ended.progress.done).toBe(ended.progress.total);
    const { receipt } = (await client.get(`${importsPath}/${id}/receipt`)).data;
    expect(receipt).toMatchObject({
      ...{ operationId: id, packageDigest, planDigest, verification: 'verified' },
      counts: { menus: 1, menu_items: 2 },
    });
    const settings = (await client.get('/settings')).data;
    expect([settings.title, settings.tagline]).toEqual([before.title, 'Tagline of the package']);
    const menu = (await client.get('/menus/main')).data;
    expect(JSON.stringify(menu)).toContain('"parentId":"i-2"');
    expect((await client.post('/menus', { name: 'second', label: 'Second' })).status).toBe(201);
    const events = await eventually(
      async () => (await client.get('/admin/audit-log?action=site-import.started')).data.items as object[],
      ({ length }) => length > 0,
    );
    expect(events).toEqual([
      expect.objectContaining({
        target: { type: 'site-import', id },
        details: { packageDigest, planDigest },
      }),
    ]);
  });
});

describe('POST admin/transfer/imports/{id}/cancel and /abandon', () => {
  it('end a planned import, which changes nothing', async () => {
    const { id, ...digests } = await plan(admin);
    const unfinished = await admin.post(`${importsPath}/${id}/abandon`);
    expect(statusAndCode(unfinished)).toEqual([409, 'TRANSFER_INVALID_STATE']);
    const cancelled = await admin.post(`${importsPath}/${id}/cancel`);
    expect(cancelled.data.operation).toMatchObject({ state: 'cancelled', mutationStartedAt: null });
    for (const action of ['cancel', 'execute'])
      expect(
        statusAndCode(
          await admin.post(`${importsPath}/${id}/${action}`, action === 'execute' ? digests : undefined),
        ),
      ).toEqual([409, 'TRANSFER_INVALID_STATE']);
    expect((await admin.post(`${importsPath}/${id}/advance`)).data).toMatchObject({ nextRequestInMs: null });
    expect((await admin.post(`${importsPath}/${id}/abandon`)).data.operation.state).toBe('abandoned');
    // Another import can be created.
    const next = await plan(admin);
    expect((await admin.post(`${importsPath}/${next.id}/cancel`)).status).toBe(200);
  });

  it('empty a site that a failed import has changed, and make it writable', async () => {
    const client = await abandonedSite.as('admin');
    const planned = await plan(client);
    const { id } = planned;
    await execute(client, planned);
    expect((await advanceToEnd(client, id)).state).toBe('complete');
    // As if its last step had failed.
    await abandonedSite.sql(
      `UPDATE transfer_operations SET state = 'failed', error_code = 'TRANSFER_IMPORT_ERROR',
           cursor = '{"execution": {}}', receipt = NULL WHERE id = $1`,
      [id],
    );
    await abandonedSite.setWriteFence(true);
    const write = () => client.post('/menus', { name: 'second', label: 'Second' });
    const fenced = await eventually(write, ({ status }) => status === 503);
    expect(statusAndCode(fenced)).toEqual([503, 'TRANSFER_IMPORT_IN_PROGRESS']);
    const second = await client.post(importsPath, undefined, {
      rawBody: content.manifestBytes,
      headers: { 'content-type': 'application/json' },
    });
    expect(statusAndCode(second)).toEqual([409, 'TRANSFER_INVALID_STATE']);
    const abandoned = await client.post(`${importsPath}/${id}/abandon`);
    expect(abandoned.data.operation).toMatchObject({
      state: 'abandoned',
      errorCode: 'TRANSFER_IMPORT_ERROR',
    });
    expect((await client.get('/menus')).data).toEqual([]);
    expect((await client.get('/settings')).data).toEqual({});
    expect((await eventually(write, ({ status }) => status === 201)).status).toBe(201);
    const events = await eventually(
      async () => (await client.get('/admin/audit-log?action=site-import.abandoned')).data.items as object[],
      ({ length }) => length > 0,
    );
    expect(events).toEqual([expect.objectContaining({ target: { type: 'site-import', id } })]);
  });
});

const unknown = `${importsPath}/unknown`;
const digests = { packageDigest: otherDigest, planDigest: otherDigest };
const executing: Record<string, Call> = {
  executeTransferImport: (client) => client.post(`${unknown}/execute`, digests),
  advanceTransferImport: (client) => client.post(`${unknown}/advance`),
  cancelTransferImport: (client) => client.post(`${unknown}/cancel`),
  abandonTransferImport: (client) => client.post(`${unknown}/abandon`),
};
const permission = {
  permission: 'transfer:import',
  minRole: 'admin',
  rejection: 'INSUFFICIENT_PERMISSIONS',
  expectedStatus: 404,
} as const;

describePermissions(
  () => site,
  [
    { ...permission, scopes: ['transfer:execute', 'admin'], operations: executing },
    {
      ...permission,
      scopes: ['transfer:analyze', 'transfer:execute', 'admin'],
      operations: { getTransferImportReceipt: (client) => client.get(`${unknown}/receipt`) },
    },
  ],
);
