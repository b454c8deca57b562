import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildPackage,
  describePermissions,
  recordOf,
  statusAndCode,
  useSite,
  type Call,
  type Client,
  type PackageContent,
} from '@quire/testing';

const importsPath = '/admin/transfer/imports';
const maxDelayMs = 100;

const site = useSite();
const other = useSite();
let admin: Client;
let id: string;

const content: PackageContent = {
  records: {
    principals: [recordOf('principals', { id: 'p-1', displayName: 'Ada', email: 'gone@example.com' })],
    settings: [recordOf('settings', { key: 'title', value: 'Title of the package' })],
    bylines: [recordOf('bylines', { id: 'b-1', locale: 'en', translationGroup: 'gone', userId: 'p-1' })],
  },
};

/** Creates an import and uploads the index of its package. */
async function begin(client: Client): Promise<string> {
  const { manifestBytes, files } = buildPackage(content);
  const headers = { 'content-type': 'application/json' };
  const { data } = await client.post(importsPath, undefined, { rawBody: manifestBytes, headers });
  const begun = data.operation.id as string;
  await upload(client, begun, [...files].slice(0, 1));
  return begun;
}

async function upload(client: Client, of: string, files: Iterable<[string, Buffer]>): Promise<void> {
  for (const [path, rawBody] of files)
    expect((await client.put(`${importsPath}/${of}/files/${path}`, undefined, { rawBody })).status).toBe(200);
}

const analyze = (client: Client, body?: object) => client.post(`${importsPath}/${id}/analyze`, body);

async function analyzeToEnd(body?: object) {
  for (;;) {
    const { status, data } = await analyze(admin, body);
    expect(status).toBe(200);
    if (data.nextRequestInMs === null) return data;
    await wait(Math.min(data.nextRequestInMs as number, maxDelayMs));
  }
}

beforeAll(async () => {
  admin = await site.as('admin');
  id = await begin(admin);
});

describe('POST admin/transfer/imports/{id}/analyze and GET admin/transfer/imports/{id}/plan', () => {
  it('is TRANSFER_FILE_MISSING without all files, and names them', async () => {
    const rejected = await analyze(admin);
    expect(statusAndCode(rejected)).toEqual([422, 'TRANSFER_FILE_MISSING']);
    expect(rejected.error?.details).toMatchObject({
      count: 3,
      paths: [
        'records/principals/000001.ndjson',
        'records/settings/000001.ndjson',
        'records/bylines/000001.ndjson',
      ],
    });
  });

  it('is TRANSFER_INVALID_STATE for the plan before the analysis', async () => {
    expect(statusAndCode(await admin.get(`${importsPath}/${id}/plan`))).toEqual([
      409,
      'TRANSFER_INVALID_STATE',
    ]);
  });

  it.each([
    ['an unknown property', { other: 1 }],
    ['an unknown choice', { siteTitle: 'both' }],
    ['a user that does not exist', { principalMappings: { 'p-1': 'unknown' } }],
  ])('is TRANSFER_DECISIONS_INVALID for %s', async (_, decisions) => {
    expect(statusAndCode(await analyze(admin, { decisions }))).toEqual([422, 'TRANSFER_DECISIONS_INVALID']);
  });

  it('returns a plan with what prevents the import, the same as its own path does', async () => {
    await upload(admin, id, [...buildPackage(content).files].slice(1));
    const { operation, plan, planDigest } = await analyzeToEnd();
    expect(operation).toMatchObject({ state: 'planned', planDigest, error: null });
    expect(plan).toMatchObject({
      counts: { principals: 1, settings: 1, bylines: 1 },
      principals: [{ id: 'p-1', references: 1 }],
      settings: { title: { package: 'Title of the package' } },
      decisions: { principalMappings: { 'p-1': null } },
      blockers: [
        { code: 'dangling_reference', kind: 'bylines', id: 'b-1', count: 1, detail: { names: 'gone' } },
      ],
    });
    expect((await admin.get(`${importsPath}/${id}/plan`)).data).toEqual({ plan, planDigest });
  });

  it('makes another plan for other decisions, and the equal one for equal decisions', async () => {
    const { id: user } = (await admin.get('/auth/me')).data as { id: string };
    const before = await analyzeToEnd();
    const decisions = { principalMappings: { 'p-1': user }, siteTagline: 'target' };
    const decided = await analyzeToEnd({ decisions });
    expect(decided.plan.decisions).toMatchObject(decisions);
    expect(decided.planDigest).not.toBe(before.planDigest);
    expect((await analyzeToEnd({ decisions })).planDigest).toBe(decided.planDigest);
    expect((await analyzeToEnd({ decisions: {} })).planDigest).toBe(before.planDigest);
  });

  it('is TRANSFER_INVALID_STATE for an import that has ended, and does not see those of another site', async () => {
    const stranger = await other.as('admin');
    expect(statusAndCode(await analyze(stranger))).toEqual([404, 'TRANSFER_OPERATION_NOT_FOUND']);
    expect((await admin.post(`${importsPath}/${id}/cancel`)).status).toBe(200);
    expect(statusAndCode(await analyze(admin))).toEqual([409, 'TRANSFER_INVALID_STATE']);
  });
});

const unknown = `${importsPath}/unknown`;
const permission = {
  permission: 'transfer:import',
  minRole: 'admin',
  rejection: 'INSUFFICIENT_PERMISSIONS',
  expectedStatus: 404,
} as const;
const reading: Record<string, Call> = { getTransferImportPlan: (client) => client.get(`${unknown}/plan`) };

describePermissions(
  () => site,
  [
    {
      ...permission,
      scopes: ['transfer:analyze', 'admin'],
      operations: { analyzeTransferImport: (client) => client.post(`${unknown}/analyze`) },
    },
    { ...permission, scopes: ['transfer:analyze', 'transfer:execute', 'admin'], operations: reading },
  ],
);
