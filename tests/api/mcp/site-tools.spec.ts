import { beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '@quire/permissions';
import { callTool, testRoles, useSite, type Client, type ToolResult } from '@quire/testing';
import { succeed } from './entries-support.js';
import { repeatStep, resultOf, rpc } from './support.js';

const site = useSite();
const approvalsPath = '/admin/transfer/approvals';
const operationId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const digest = `sha256:${'0'.repeat(64)}`;
const start = { operationId, packageDigest: digest, planDigest: digest };

const anyScope = ['transfer:export', 'transfer:analyze', 'transfer:execute'];
const reads = { readOnlyHint: true };
/** Name, title, scopes of which one suffices, hints, valid arguments (spec document 2, Site transfer). */
const siteTools: [string, string, string[], object | undefined, object][] = [
  ['site_transfer_capabilities', 'Get Site Transfer Capabilities', anyScope, reads, {}],
  ['site_export_start', 'Start Site Export', ['transfer:export'], undefined, {}],
  ['site_export_status', 'Get Site Export Status', ['transfer:export'], undefined, { operationId }],
  ['site_import_analyze', 'Analyze Site Import', ['transfer:analyze'], undefined, { operationId }],
  ['site_import_start', 'Start Site Import', ['transfer:execute'], { destructiveHint: true }, start],
  ['site_import_status', 'Get Site Import Status', anyScope, reads, { operationId }],
  ['site_import_resume', 'Resume Site Import', ['transfer:execute'], undefined, { operationId }],
  ['site_import_receipt', 'Get Site Import Receipt', anyScope, reads, { operationId }],
];
/** Answers to a token without the scope: a start is checked or asks for an approval. */
const withoutScope: Record<string, string> = {
  site_export_start: 'TRANSFER_APPROVAL_REQUIRED',
  site_import_start: 'TRANSFER_OPERATION_NOT_FOUND',
};
/** Answers to a token with the scope, where the arguments name no operation. */
const withScope: Record<string, string> = {
  site_transfer_capabilities: 'success',
  site_export_start: 'success',
};

let browser: Client;
/** A token of the administrator without the scopes of transfers. */
let agent: Client;
const codeOf = ({ isError, code }: ToolResult) => (isError ? code : 'success');
const approvals = async () => (await browser.get(`${approvalsPath}?limit=100`)).data.items as object[];

beforeAll(async () => {
  browser = await site.signedIn('admin');
  agent = await site.withScopes('admin', ['content:read']);
});

describe('tools/list', () => {
  it('has the eight site tools with their titles, hints and schemas of ids and digests', async () => {
    const { tools } = resultOf(await rpc(agent, 'tools/list'));
    const listed = (tools as { name: string; title: string; annotations?: object }[]).filter(({ name }) =>
      name.startsWith('site_'),
    );
    const expected = siteTools.map(([name, title, , hints]) => [name, title, hints]);
    expect(listed.map(({ name, title, annotations }) => [name, title, annotations])).toEqual(
      expected.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(listed.find(({ name }) => name === 'site_import_start')).toMatchObject({
      inputSchema: {
        properties: {
          operationId: { pattern: '^[0-9A-Za-z_-]{1,64}$' },
          packageDigest: { pattern: '^sha256:[0-9a-f]{64}$' },
          planDigest: { pattern: '^sha256:[0-9a-f]{64}$' },
          approvalId: { minLength: 1, maxLength: 64 },
        },
        required: ['operationId', 'packageDigest', 'planDigest'],
      },
    });
  });
});

describe.each(siteTools)('%s', (name, _title, sufficient, _hints, args) => {
  it('needs an Admin, whatever the scopes, before the scope', async () => {
    const before = (await approvals()).length;
    for (const role of testRoles.filter((each) => each !== 'admin'))
      for (const granted of [['admin'], ['content:read']])
        expect([role, codeOf(await callTool(await site.withScopes(role, granted), name, args))]).toEqual([
          role,
          'INSUFFICIENT_PERMISSIONS',
        ]);
    expect(await approvals()).toHaveLength(before);
  });

  it(`accepts ${sufficient.join(' or ')}, and admin`, async () => {
    for (const scope of [...sufficient, 'admin']) {
      const client = await site.withScopes('admin', [scope]);
      expect([scope, codeOf(await callTool(client, name, args))]).toEqual([
        scope,
        withScope[name] ?? 'TRANSFER_OPERATION_NOT_FOUND',
      ]);
    }
  });

  it('refuses a token with all other scopes, and names what it lacks', async () => {
    const others = scopes.filter((scope) => scope !== 'admin' && !sufficient.includes(scope));
    const refused = await callTool(await site.withScopes('admin', others), name, args);
    expect(refused.code).toBe(withoutScope[name] ?? 'INSUFFICIENT_SCOPE');
    if (!(name in withoutScope)) for (const scope of sufficient) expect(refused.text).toContain(scope);
  });

  it('checks its arguments first', async () => {
    const wrong = name === 'site_transfer_capabilities' ? undefined : { operationId: '../x', comments: 5 };
    if (!wrong) return;
    const subscriber = await site.withScopes('subscriber', ['content:read']);
    expect((await callTool(subscriber, name, { ...args, ...wrong })).code).toBe('VALIDATION_ERROR');
  });
});

describe('an export by tools (contract 12)', () => {
  it('is followed by site_export_status to its totals, and has the properties of the contract only', async () => {
    const exporter = await site.withScopes('admin', ['transfer:export']);
    const started = await succeed(exporter, 'site_export_start', { comments: false });
    const { operation } = started.data;
    expect(Object.keys(operation as object).sort()).toEqual([
      ...['completedAt', 'createdAt', 'error', 'expiresAt', 'id', 'kind', 'packageDigest', 'planDigest'],
      ...['progress', 'stage', 'state', 'updatedAt'],
    ]);
    expect(operation).toMatchObject({ kind: 'export', state: 'pending', error: null, packageDigest: null });
    const id = operation.id as string;
    const read = await succeed(exporter, 'site_export_status', { operationId: id, advance: false });
    expect([0, null]).toContain(read.data.nextRequestInMs);
    const last = await repeatStep(exporter, 'site_export_status', { operationId: id });
    expect(last.operation).toMatchObject({ state: 'complete', error: null });
    expect(last.operation.packageDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const count = expect.any(Number);
    expect(last.totals).toEqual({
      records: { total: count, byKind: expect.any(Object) },
      media: { count: 0, totalBytes: 0 },
      files: { count, totalBytes: count },
    });
    const again = await succeed(exporter, 'site_export_status', { operationId: id, advance: false });
    expect([again.data.nextRequestInMs, again.data.totals]).toEqual([null, last.totals]);
  });
});

describe('an export by an approval (contract 12, Approvals)', () => {
  const request = async (args: object = {}, client = agent) => {
    const { code, details, text } = await callTool(client, 'site_export_start', args);
    expect(code).toBe('TRANSFER_APPROVAL_REQUIRED');
    return { ...(details as { approvalId: string; expiresAt: string }), text };
  };
  const approve = (id: string) => browser.post(`${approvalsPath}/${id}/approve`);
  const startBy = (approvalId: string, args: object = {}, client = agent) =>
    callTool(client, 'site_export_start', { ...args, approvalId });

  it('names the request, its end and where to approve it; repeats name the same one', async () => {
    const { approvalId, expiresAt, text } = await request();
    for (const part of [approvalId, expiresAt, 'Settings, Transfer']) expect(text).toContain(part);
    expect((await request({ comments: true })).approvalId).toBe(approvalId);
    expect((await request({ comments: false })).approvalId).not.toBe(approvalId);
    const other = await site.withScopes('admin', ['media:read']);
    expect((await request({}, other)).approvalId).not.toBe(approvalId);
  });

  it('starts once, also of two calls at the same time', async () => {
    const { approvalId } = await request();
    expect((await startBy(approvalId)).code).toBe('TRANSFER_APPROVAL_INVALID');
    await approve(approvalId);
    const results = await Promise.all([startBy(approvalId), startBy(approvalId)]);
    expect(results.map(codeOf).sort()).toEqual(['TRANSFER_APPROVAL_INVALID', 'success']);
    expect((await startBy(approvalId)).code).toBe('TRANSFER_APPROVAL_INVALID');
  });

  it('is not started for other arguments, another token, another user or the other tool', async () => {
    const { approvalId } = await request();
    await approve(approvalId);
    const other = await site.withScopes('admin', ['media:read']);
    const codes = [
      (await startBy(approvalId, { comments: false })).code,
      (await startBy(approvalId, {}, other)).code,
      (await startBy('unknown')).code,
    ];
    expect(codes).toEqual(Array.from({ length: 3 }, () => 'TRANSFER_APPROVAL_INVALID'));
    expect(codeOf(await startBy(approvalId))).toBe('success');
  });

  it('does not consume an approval that a token with the scope sends along', async () => {
    const { approvalId } = await request();
    await approve(approvalId);
    const exporter = await site.withScopes('admin', ['transfer:export']);
    expect(codeOf(await startBy(approvalId, {}, exporter))).toBe('success');
    expect(codeOf(await startBy(approvalId))).toBe('success');
  });

  it('may be followed by the same user and token, and no other operation', async () => {
    const { approvalId } = await request();
    await approve(approvalId);
    const { operation } = (await startBy(approvalId)).data;
    const args = { operationId: operation.id as string, advance: false };
    expect(codeOf(await callTool(agent, 'site_export_status', args))).toBe('success');
    const exporter = await site.withScopes('admin', ['transfer:export']);
    const { data } = await succeed(exporter, 'site_export_start', {});
    const foreign = { operationId: data.operation.id as string };
    expect((await callTool(agent, 'site_export_status', foreign)).code).toBe('INSUFFICIENT_SCOPE');
    const other = await site.withScopes('admin', ['media:read']);
    expect((await callTool(other, 'site_export_status', args)).code).toBe('INSUFFICIENT_SCOPE');
    expect((await callTool(agent, 'site_import_status', args)).code).toBe('INSUFFICIENT_SCOPE');
  });
});
