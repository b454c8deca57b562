import { beforeAll, describe, expect, it } from '@jest/globals';
import { archivedFilesOf, buildPackage, callTool, recordOf, useSite, type Client } from '@quire/testing';
import { uploadPackage } from '../transfer/support.js';
import { succeed } from './entries-support.js';
import { repeatStep } from './support.js';

const site = useSite();
const path = '/admin/transfer/approvals';
const records = { redirects: [recordOf('redirects', { source: '/old', destination: '/new' })] };
let browser: Client;
let admin: Client;
/** A token of the administrator without the scopes of transfers. */
let agent: Client;
let imported: { operationId: string; packageDigest: string; planDigest: string };

beforeAll(async () => {
  browser = await site.signedIn('admin');
  admin = await site.withScopes('admin', ['admin']);
  agent = await site.withScopes('admin', ['content:read']);
  const { id, packageDigest } = await uploadPackage(admin, archivedFilesOf(buildPackage({ records })));
  const { plan } = await repeatStep(admin, 'site_import_analyze', { operationId: id });
  imported = { operationId: id, packageDigest, planDigest: plan.planDigest };
});

describe('site_transfer_capabilities (contract 12)', () => {
  it('returns the limits, and whether the site may receive an import, for any scope of transfers', async () => {
    for (const scope of ['transfer:export', 'transfer:analyze', 'transfer:execute'] as const) {
      const client = await site.withScopes('admin', [scope]);
      const { data } = await succeed(client, 'site_transfer_capabilities', {});
      expect(data).toMatchObject({ formatVersions: ['1'], portableDomain: { empty: true, blockers: [] } });
    }
    expect((await callTool(agent, 'site_transfer_capabilities', {})).code).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('site_import_analyze (contract 12)', () => {
  const analyze = (decisions: object) =>
    repeatStep(admin, 'site_import_analyze', { operationId: imported.operationId, decisions });

  it('gives another planDigest for other decisions, and the equal one for equal decisions', async () => {
    const kept = await analyze({ siteTitle: 'target' });
    expect(kept.plan.planDigest).not.toBe(imported.planDigest);
    const again = await analyze({ siteTitle: 'package' });
    expect(again.plan).toMatchObject({
      planDigest: imported.planDigest,
      executable: true,
      counts: { redirects: 1 },
      blockers: { total: 0, items: [] },
    });
  });

  it('rejects unknown decisions', async () => {
    const args = { operationId: imported.operationId, decisions: { siteName: 'target' } };
    expect((await callTool(admin, 'site_import_analyze', args)).code).toBe('VALIDATION_ERROR');
  });

  it.each(['site_import_analyze', 'site_import_status', 'site_import_resume', 'site_import_receipt'])(
    'an unknown operation is not found by %s',
    async (tool) => {
      const { code } = await callTool(admin, tool, { operationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
      expect(code).toBe('TRANSFER_OPERATION_NOT_FOUND');
    },
  );
});

describe('site_import_start (spec document 2)', () => {
  it('checks digests before it makes an approval', async () => {
    const other = `sha256:${'0'.repeat(64)}`;
    const codeOf = async (args: object) =>
      (await callTool(agent, 'site_import_start', { ...imported, ...args })).code;
    expect([
      await codeOf({ operationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
      await codeOf({ packageDigest: other }),
      await codeOf({ planDigest: other }),
    ]).toEqual([
      'TRANSFER_OPERATION_NOT_FOUND',
      'TRANSFER_PACKAGE_DIGEST_MISMATCH',
      'TRANSFER_PLAN_DIGEST_MISMATCH',
    ]);
    expect((await browser.get(path)).data.items).toEqual([]);
  });

  it('starts an approved import, which the same token follows to its receipt', async () => {
    const requested = await callTool(agent, 'site_import_start', imported);
    expect(requested.code).toBe('TRANSFER_APPROVAL_REQUIRED');
    const approvalId = String(requested.details?.approvalId);
    expect((await callTool(agent, 'site_import_status', imported)).code).toBe('INSUFFICIENT_SCOPE');
    await browser.post(`${path}/${approvalId}/approve`);
    const { data } = await succeed(agent, 'site_import_start', { ...imported, approvalId });
    expect(data.operation).toMatchObject({ kind: 'import', state: 'running' });
    const { operationId } = imported;
    const { operation } = await repeatStep(agent, 'site_import_resume', { operationId });
    expect(operation).toMatchObject({ state: 'complete', error: null });
    const status = await succeed(agent, 'site_import_status', { operationId });
    expect(status.data.files.declared).toBe(status.data.files.verified);
    const { receipt } = (await succeed(agent, 'site_import_receipt', { operationId })).data;
    expect(receipt).toMatchObject({ operationId, verification: 'verified', counts: { redirects: 1 } });
    expect((await succeed(agent, 'site_import_resume', { operationId })).data.nextRequestInMs).toBeNull();
    const other = await site.withScopes('admin', ['media:read']);
    expect((await callTool(other, 'site_import_status', { operationId })).code).toBe('INSUFFICIENT_SCOPE');
  });
});
