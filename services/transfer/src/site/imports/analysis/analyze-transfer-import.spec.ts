import 'reflect-metadata';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { authApi } from '@quire/internal-api';
import { digestOf } from '@quire/site-package';
import { buildPackage, useFixture, type PackageContent } from '@quire/testing';
import { transferSteps } from '../../operations/transfer-steps.repository.js';
import { updateOperation } from '../../operations/operations.repository.js';
import { objectPrefix } from '../../package-files/stored-files.js';
import { getTransferImportPlan } from '../plan/get-transfer-import-plan.js';
import { nextImportStep } from '../steps/index.js';
import { analyzeTransferImport } from './analyze-transfer-import.js';
import { openAnalyses } from './testing/analyses.fixture.js';
import { siteContent } from './testing/site-content.fixture.js';

let number = 0;
const analyses = useFixture(() => openAnalyses(`spec-of-analyze-import-${number++}`), { lifetime: 'test' });

const upload = (content: PackageContent = siteContent()) => analyses.upload(buildPackage(content));
const analyze = (id: string, decisions?: unknown) =>
  analyzeTransferImport(analyses.ctx, analyses.deps, { id, decisions });
const keys = () => analyses.ctx.db.query('SELECT 1 FROM transfer_import_keys');

/** The plan of an import that nothing disturbs. */
async function undisturbed() {
  const { plan, planDigest } = await analyses.finish(await upload());
  return { plan, planDigest };
}

describe('analyzeTransferImport', () => {
  it('takes one step a call, and returns the plan with the last one', async () => {
    const id = await upload();
    expect(await analyze(id)).toMatchObject({
      operation: { state: 'analyzing', stage: 'analyze_records' },
      nextRequestInMs: 0,
    });
    await expect(getTransferImportPlan(analyses.ctx, id)).rejects.toMatchObject({
      code: 'TRANSFER_INVALID_STATE',
    });
    const { plan, planDigest } = await analyses.finish(id);
    const last = await analyze(id);
    expect(last).toMatchObject({ operation: { state: 'planned', stage: null }, plan, nextRequestInMs: null });
    expect(await getTransferImportPlan(analyses.ctx, id)).toEqual({ plan, planDigest });
    expect(await keys()).toEqual([]);
  });

  it('rejects a package with missing files, and names the first ones', async () => {
    const id = await upload();
    await analyses.ctx.db.query(
      "UPDATE transfer_files SET is_stored = false WHERE operation_id = $1 AND starts_with(path, 'records/')",
      [id],
    );
    const error = await analyze(id).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TRANSFER_FILE_MISSING', details: { count: 29 } });
    const { paths } = (error as { details: { paths: string[] } }).details;
    expect(paths).toHaveLength(10);
    expect(paths[0]).toBe('records/principals/000001.ndjson');
    expect(await analyses.operation(id)).toMatchObject({ state: 'uploading' });
  });

  it.each(['running', 'verifying', 'complete', 'failed', 'cancelled', 'abandoned'] as const)(
    'rejects an import that is %s',
    async (state) => {
      const id = await upload();
      await updateOperation(analyses.ctx.db, { id, states: ['uploading'] }, { state });
      await expect(analyze(id)).rejects.toMatchObject({ code: 'TRANSFER_INVALID_STATE' });
    },
  );

  it('answers with a delay while another process has the step', async () => {
    const id = await upload();
    await analyze(id);
    const key = { tenantId: analyses.ctx.principal.tenant.id, operationId: id };
    await transferSteps.claimByKey(analyses.ctx.db, key);
    const { operation, nextRequestInMs } = await analyze(id);
    expect(operation).toMatchObject({ state: 'analyzing', stage: 'analyze_records' });
    expect(nextRequestInMs).toBeGreaterThan(0);
  });

  it('waits for a service that is unavailable, and continues', async () => {
    const id = await upload();
    const { QuireError } = await import('@quire/errors');
    let failures = 3;
    analyses.site.beforeCall = () => {
      if (failures-- > 0) throw new QuireError('SERVICE_UNAVAILABLE', 'The service is unavailable');
    };
    expect(await analyses.finish(id)).toMatchObject({ state: 'planned', attemptCount: 0 });
  });
});

describe('decisions', () => {
  const invalid = async (decisions: unknown) => {
    const id = await upload();
    return analyze(id, decisions).catch((error: unknown) => error);
  };

  it('are rejected with unknown properties, invalid values and users that do not exist, which the error names', async () => {
    const code = 'TRANSFER_DECISIONS_INVALID';
    expect(await invalid({ other: 1 })).toMatchObject({ code, message: expect.stringContaining('other') });
    expect(await invalid({ siteTitle: 'both' })).toMatchObject({
      code,
      message: expect.stringContaining('siteTitle'),
    });
    expect(await invalid([])).toMatchObject({ code });
    expect(await invalid({ principalMappings: { 'p-ada': 'user-gone' } })).toMatchObject({
      code,
      details: { users: ['user-gone'] },
    });
  });

  it('are not lost when a worker plans the import while they are checked', async () => {
    const id = await upload();
    await analyze(id);
    let isPlanning = false;
    analyses.site.beforeCall = async ({ id: called }) => {
      if (called !== authApi.usersByIds.id || isPlanning) return;
      isPlanning = true;
      await analyses.finish(id);
    };
    const decisions = { principalMappings: { 'p-ada': 'user-eva' }, siteTitle: 'target' };
    const { plan } = await analyzeTransferImport(analyses.ctx, analyses.deps, { id, decisions });
    expect(plan?.decisions).toMatchObject(decisions);
  });

  it('map principals, by default to users with their addresses, and ignore unknown principals', async () => {
    const id = await upload();
    const defaults = await analyses.finish(id);
    expect(defaults.plan).toMatchObject({
      principals: [
        { id: 'p-ada', references: 2, suggestedUserId: 'user-ada' },
        { id: 'p-max', references: 3 },
      ],
      decisions: { principalMappings: { 'p-ada': 'user-ada', 'p-max': null } },
    });
    const mappings = { 'p-ada': null, 'p-max': 'user-eva', 'p-unknown': 'user-eva' };
    const decided = await analyses.finish(id, { principalMappings: mappings });
    expect(decided.plan?.decisions.principalMappings).toEqual({ 'p-ada': null, 'p-max': 'user-eva' });
    expect(decided.plan?.transformations).toEqual([
      { code: 'principals_unmapped', kind: 'media_items', count: 1 },
      { code: 'principals_unmapped', kind: 'entries', count: 2 },
    ]);
    expect(decided.planDigest).not.toBe(defaults.planDigest);
  });

  it('give the equal plan and digest when they are equal, also in another import', async () => {
    const decisions = { siteTitle: 'target', principalMappings: { 'p-max': 'user-eva', 'p-ada': null } };
    const same = { principalMappings: { 'p-ada': null, 'p-max': 'user-eva' }, siteTitle: 'target' };
    const id = await upload();
    const first = await analyses.finish(id, decisions);
    const other = await analyses.finish(id, { siteTitle: 'package' });
    expect(other.planDigest).not.toBe(first.planDigest);
    expect(await analyses.finish(id, same)).toMatchObject({ plan: first.plan, planDigest: first.planDigest });
    expect(await analyses.finish(id)).toMatchObject({ planDigest: first.planDigest });
    const again = await analyses.finish(await upload(), same);
    expect(again.planDigest).toBe(first.planDigest);
  });

  it('of the site title and tagline are transformations when the site keeps its own', async () => {
    analyses.site.names = { title: 'Target', tagline: 'Own' };
    const { plan } = await analyses.finish(await upload(), { siteTitle: 'target', siteTagline: 'package' });
    expect(plan).toMatchObject({ decisions: { siteTitle: 'target', siteTagline: 'package' } });
    expect(plan?.transformations).toContainEqual({ code: 'title_kept', kind: 'settings', count: 1 });
    expect(plan?.transformations.map(({ code }) => code)).not.toContain('tagline_kept');
  });

  it('block the import with principal_conflict when their user is deleted', async () => {
    const id = await upload();
    await analyze(id, { principalMappings: { 'p-max': 'user-eva' } });
    analyses.site.users.pop();
    expect((await analyses.finish(id)).plan?.blockers).toMatchObject([
      { code: 'principal_conflict', kind: 'principals', id: 'p-max', detail: { userId: 'user-eva' } },
    ]);
  });
});

describe('the target', () => {
  it('blocks the import with records of users, and locales that are not configured', async () => {
    analyses.site.inspection = {
      blockers: [{ kind: 'entries', count: 7 }],
      scaffold: [
        { kind: 'collections', key: 'a' },
        { kind: 'collections', key: 'b' },
      ],
    };
    analyses.site.locales = ['EN', 'fr'];
    const { plan } = await analyses.finish(await upload());
    expect(plan?.blockers).toMatchObject([
      { code: 'target_not_empty', kind: 'entries', count: 7 },
      { code: 'locale_not_configured', kind: 'entries', id: 'posts/e-2', count: 1, detail: { locale: 'de' } },
    ]);
    expect(plan?.transformations).toContainEqual({ code: 'scaffold_deleted', kind: 'collections', count: 2 });
  });
});

describe('the limits of the target', () => {
  afterEach(() => void delete analyses.ctx.principal.tenant.limits);

  it('block the import of more entries and bytes, and of a larger file', async () => {
    analyses.ctx.principal.tenant.limits = { entries: 1, mediaBytes: 2, uploadBytes: 1 };
    const { plan } = await analyses.finish(await upload());
    const { counts, bytes } = plan ?? { counts: {}, bytes: { media: 0 } };
    expect(plan?.blockers).toMatchObject([
      { code: 'media_blob_too_large', detail: { limit: 1 } },
      { code: 'limit_exceeded', detail: { property: 'entries', count: counts.entries, limit: 1 } },
      { code: 'limit_exceeded', detail: { property: 'bytes of media files', count: bytes.media, limit: 2 } },
    ]);
  });

  it('admit a package that reaches them', async () => {
    const { plan: before } = await analyses.finish(await upload());
    const { counts, bytes } = before ?? { counts: {}, bytes: { media: 0 } };
    analyses.ctx.principal.tenant.limits = { entries: counts.entries ?? 0, mediaBytes: bytes.media };
    expect((await analyses.finish(await upload())).plan?.blockers).toEqual([]);
  });
});

describe('steps of an analysis', () => {
  it('give the same plan when each is taken twice before it is recorded, as by processes that die', async () => {
    const expected = await undisturbed();
    const id = await upload();
    for (
      let row = await analyses.operation(id);
      row.state !== 'planned';
      row = await analyses.operation(id)
    ) {
      if (row.state === 'analyzing')
        for (let death = 0; death < 2; death += 1)
          await nextImportStep(row)(analyses.ctx, analyses.deps, row, { fencingToken: 1 });
      await analyze(id);
    }
    const { plan, planDigest } = await analyses.operation(id);
    expect({ plan, planDigest }).toEqual(expected);
  });

  it.each(['analyze_records', 'analyze_references'])(
    'begin again when a crash of the database empties the keys in %s',
    async (stage) => {
      const expected = await undisturbed();
      const id = await upload({ ...siteContent(), recordsPerFile: 1 });
      const isReached = async () => {
        const { stage: present, cursor } = await analyses.operation(id);
        return present === stage && (stage !== 'analyze_records' || cursor.analysis?.place !== undefined);
      };
      while (!(await isReached())) await analyze(id);
      await analyses.ctx.db.query('TRUNCATE transfer_import_keys');
      const { plan, state } = await analyses.finish(id);
      expect(state).toBe('planned');
      expect(plan?.blockers).toEqual([]);
      expect(plan?.principals).toEqual(expected.plan?.principals);
    },
  );

  it('fail after several losses of the keys', async () => {
    const id = await upload();
    for (let call = 0; call < 60; call += 1) {
      await analyses.ctx.db.query('TRUNCATE transfer_import_keys');
      if ((await analyze(id)).nextRequestInMs === null) break;
    }
    expect(await analyses.operation(id)).toMatchObject({
      state: 'failed',
      errorCode: 'TRANSFER_ANALYZE_ERROR',
    });
  });

  it('do not read records without all files, whose objects are missing or have another size', async () => {
    const lost = await upload();
    const prefix = objectPrefix(analyses.ctx, lost);
    await analyses.store.delete(`${prefix}records/menus/000001.ndjson`);
    const other = { contentType: 'application/x-ndjson' };
    await analyses.store.put(`${prefix}records/sections/000001.ndjson`, Readable.from(['x']), other);
    expect((await analyses.finish(lost)).plan?.blockers).toMatchObject([
      { code: 'file_mismatch', detail: { path: 'records/sections/000001.ndjson', bytes: 1 } },
      { code: 'file_missing', detail: { path: 'records/menus/000001.ndjson' } },
    ]);
  });

  it('find records over several files and steps, also their order and bytes that are not UTF-8', async () => {
    const sitePackage = buildPackage({ ...siteContent(), recordsPerFile: 1 });
    expect((await analyses.plan(sitePackage)).blockers).toEqual([]);
    const files = new Map(sitePackage.files);
    const path = 'records/sections/000001.ndjson';
    const bytes = Buffer.from(files.get(path) ?? '');
    bytes[bytes.indexOf('x')] = 0xff;
    files.set(path, bytes);
    const { blockers } = await analyses.plan({ ...sitePackage, files });
    expect(blockers).toContainEqual(
      expect.objectContaining({
        code: 'record_invalid',
        kind: 'sections',
        message: expect.stringContaining('UTF-8'),
      }),
    );
  });

  it('find files that are not numbered without gaps', async () => {
    const sitePackage = buildPackage(siteContent());
    const renamed = [...sitePackage.files].map(
      ([path, bytes]) => [path.replace('menus/000001', 'menus/000002'), bytes] as const,
    );
    const { blockers } = await analyses.plan({ ...sitePackage, files: new Map(renamed) });
    expect(blockers).toMatchObject([{ code: 'record_order_invalid', kind: 'menus' }]);
  });

  it('compute the plan digest over the canonical JSON of the plan', async () => {
    const { default: canonicalize } = await import('canonicalize');
    const { plan, planDigest } = await undisturbed();
    expect(planDigest).toBe(digestOf(canonicalize(plan) ?? ''));
  });
});
