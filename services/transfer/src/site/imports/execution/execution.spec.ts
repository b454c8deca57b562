import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import {
  canonicalDigestOf,
  recordDefinitions,
  recordKinds,
  sha256Of,
  type RecordKind,
} from '@quire/site-package';
import { buildPackage, recordOf, useFixture } from '@quire/testing';
import { getTransferImportReceipt } from '../receipt/get-transfer-import-receipt.js';
import { nextImportStep } from '../steps/index.js';
import { advanceTransferImport } from './advance-transfer-import.js';
import { openExecutions, planDigest } from './testing/executions.fixture.js';
import { siteContent, sitePackage } from './testing/site-package.fixture.js';

let number = 0;
const imports = useFixture(() => openExecutions(`spec-of-executions-${number++}`), { lifetime: 'test' });
const decisions = { principalMappings: { 'p-ada': 'user-eva', 'p-max': null } };

/** The records of a package as the site should have them. */
function expectedOf(kind: RecordKind): object[] {
  const records = siteContent().records[kind] as Record<string, unknown>[];
  return records.map((record) => {
    const { principals } = recordDefinitions[kind];
    const mapped = principals.map((property) => [property, record[property] === 'p-ada' ? 'user-eva' : null]);
    return { ...record, ...Object.fromEntries(mapped) };
  });
}

function expectWholeSite(): void {
  const written = recordKinds.filter((kind) => kind !== 'principals');
  expect(imports.target.kinds).toEqual(written);
  for (const kind of written) expect([kind, imports.target.sorted(kind)]).toEqual([kind, expectedOf(kind)]);
}

describe('the execution of an import', () => {
  it('passes all stages in order, and leaves the whole site, writable, with a receipt', async () => {
    imports.target.put('collections', recordOf('collections', { id: 'of-the-seed' }));
    const sitePackageOf = sitePackage();
    const id = await imports.start(sitePackageOf, decisions);
    const stages: (string | null)[] = [];
    const done: number[] = [];
    const row = await imports.finish(id, ({ stage, progress }) => {
      if (stages.at(-1) !== stage) stages.push(stage);
      done.push(progress?.done ?? -1);
      expect(progress?.done).toBeLessThan(progress?.total ?? 0);
      return false;
    });
    expect(stages).toEqual([
      'reserve',
      'clear_scaffold',
      'schema',
      'media',
      'terms_bylines',
      'content',
      'relations',
      'presentation',
      'rebuild',
      'verify',
    ]);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(row).toMatchObject({ state: 'complete', stage: null, errorCode: null, attemptCount: 0 });
    const { records, media } = sitePackageOf.manifest;
    expect(row.progress?.done).toBe(row.progress?.total);
    expect(row.progress?.bytesDone).toBe(records.bytes + media.bytes);
    expectWholeSite();
    expect(imports.target.isFenced).toBe(false);
    expect([...imports.target.copies]).toEqual([]);
    const { receipt } = await getTransferImportReceipt(imports.ctx, id);
    const { receiptDigest, ...rest } = receipt;
    const { principals: _, ...counts } = sitePackageOf.manifest.counts;
    expect(rest).toEqual({
      operationId: id,
      packageDigest: sitePackageOf.packageDigest,
      planDigest,
      targetSiteId: imports.ctx.principal.tenant.id,
      originSiteId: sitePackageOf.manifest.siteId,
      formatVersion: '1',
      importerVersion: '1.2.3',
      completedAt: new Date(row.completedAt ?? 0).toISOString(),
      logicalDigest: sitePackageOf.manifest.logicalDigest,
      counts,
      warnings: [{ code: 'media_row_missing', message: 'A media item is missing' }],
      verification: 'verified',
    });
    expect(receiptDigest).toBe(canonicalDigestOf(rest));
  });

  it('reserves, clears, writes, finishes and verifies in this order, with parents after their kind', async () => {
    const id = await imports.start(sitePackage(), decisions);
    await imports.finish(id);
    const { log } = imports.target;
    const steps = log.filter((entry, index) => entry !== log[index - 1]);
    const at = (entry: string) => {
      expect(steps).toContain(entry);
      return steps.indexOf(entry);
    };
    // Once by the request, and once after the fence.
    expect(steps.slice(0, 8)).toEqual([
      'inspect content',
      'inspect media',
      'inspect search',
      'raise fence',
      'inspect content',
      'inspect media',
      'inspect search',
      'clear content',
    ]);
    const writes = steps.filter((entry) => entry.startsWith('write'));
    const kinds = recordKinds.filter((kind) => kind !== 'principals');
    expect(writes.filter((entry) => entry.endsWith(' records')).map((entry) => entry.split(' ')[2])).toEqual(
      kinds,
    );
    for (const kind of ['term_groups', 'comments', 'menu_items'])
      expect(at(`write content ${kind} parents`)).toBe(at(`write content ${kind} records`) + 1);
    expect(writes.filter((entry) => entry.endsWith(' parents'))).toHaveLength(3);
    const later = [
      'finish content',
      'finish media',
      'finish search',
      'stage content',
      'stage media',
      'stage search',
    ];
    expect(later.map(at)).toEqual(later.map((_, index) => at('finish content') + index));
    expect(steps.at(-1)).toBe('lift fence');
  });

  it('writes several batches of a kind at a time, those of the schema one by one, and no two kinds together', async () => {
    const { records } = siteContent();
    const collections = Array.from({ length: 15 }, (_, index) =>
      recordOf('collections', { id: `c-${String(index).padStart(2, '0')}` }),
    );
    const id = await imports.start(sitePackage({ records: { ...records, collections } }), decisions);
    const present: string[] = [];
    const most = new Map<string, number>();
    imports.target.beforeCall = async (entry) => {
      if (!entry.startsWith('write')) return;
      present.push(entry);
      expect(new Set(present).size).toBe(1);
      most.set(entry, Math.max(present.length, most.get(entry) ?? 0));
      // Until another batch is written, or none was begun for long.
      const isWatched = entry.includes('entries') || entry.includes('collections');
      for (let waits = 0; isWatched && waits < 20 && present.length < 2; waits += 1) await wait(20);
    };
    imports.target.afterCall = (entry) => {
      if (entry.startsWith('write')) present.pop();
    };
    expect(await imports.finish(id)).toMatchObject({ state: 'complete', errorCode: null });
    expect(most.get('write content entries records')).toBe(2);
    expect(most.get('write content collections records')).toBe(1);
  });

  it('gives the same site when each step is taken twice before it is recorded, as by processes that die', async () => {
    const id = await imports.start(sitePackage(), decisions);
    const row = await imports.finish(
      id,
      () => false,
      async () => {
        await imports.endDelays(id);
        const found = await imports.operation(id);
        await nextImportStep(found)(imports.ctx, imports.deps, found, { fencingToken: 1 });
      },
    );
    expect(row).toMatchObject({ state: 'complete', attemptCount: 0 });
    expect(row.receipt?.logicalDigest).toBe(sitePackage().manifest.logicalDigest);
    expectWholeSite();
  });

  it('gives the same site when every call of a service fails once after it took effect', async () => {
    const id = await imports.start(sitePackage(), decisions);
    const failed = new Set<string>();
    imports.target.afterCall = (entry) => {
      if (failed.has(entry)) return;
      failed.add(entry);
      throw new QuireError('SERVICE_UNAVAILABLE', 'Later');
    };
    const row = await imports.finish(id);
    expect(row).toMatchObject({ state: 'complete', errorCode: null });
    expect(failed.size).toBeGreaterThan(60);
    expectWholeSite();
  });
});

describe('media items', () => {
  it('are written in calls of bounded bytes', async () => {
    const bytes = Buffer.from('bytes');
    const sha256 = sha256Of(bytes);
    const items = [100, 200, 200, 50, 300, 1].map((size, index) => {
      const id = `m-${index}-ü`;
      return recordOf('media_items', { id, storageKey: id, sha256, size: size * 1024 * 1024 });
    });
    const large = buildPackage({ media: [bytes], records: { media_items: items }, recordsPerFile: 4 });
    const row = await imports.finish(await imports.start(large));
    expect(row).toMatchObject({ state: 'complete', errorCode: null });
    expect(imports.target.sorted('media_items')).toEqual(items);
    // 100 + 200, 200 + 50, 300, 1
    const calls = imports.target.log.filter((entry) => entry === 'write media media_items records');
    expect(calls).toHaveLength(4);
  });
});

describe('settings', () => {
  const names = () => imports.target.sorted('settings').map((record) => [record['key'], record['value']]);
  const ownTitle = recordOf('settings', {
    key: 'title',
    value: 'Own title',
    updatedAt: '2026-05-05T05:05:05.555Z',
  });

  it.each([
    [{}, 'title of the package', 'tagline of the package'],
    [{ siteTitle: 'target' as const }, 'Own title', 'tagline of the package'],
    [{ siteTitle: 'target' as const, siteTagline: 'target' as const }, 'Own title', undefined],
    [{ siteTagline: 'target' as const }, 'title of the package', undefined],
  ])('have the title and the tagline that are decided (%j)', async (names_, title, tagline) => {
    imports.target.put('settings', ownTitle);
    imports.target.put('settings', recordOf('settings', { key: 'dateFormat', value: 'of the site' }));
    const row = await imports.finish(await imports.start(sitePackage(), names_));
    expect(row).toMatchObject({ state: 'complete', errorCode: null });
    expect(names()).toEqual([
      ['postsPerPage', 'postsPerPage of the package'],
      ...(tagline === undefined ? [] : [['tagline', tagline]]),
      ['title', title],
      ['url', 'url of the package'],
    ]);
    const isPackage = row.receipt?.logicalDigest === sitePackage().manifest.logicalDigest;
    expect(isPackage).toBe(Object.keys(names_).length === 0);
  });

  it('keep the title of the site when the package has no settings', async () => {
    imports.target.put('settings', ownTitle);
    const empty = buildPackage({ records: { sections: [recordOf('sections', { id: 's' })] } });
    const row = await imports.finish(await imports.start(empty, { siteTitle: 'target' }));
    expect(row).toMatchObject({ state: 'complete', receipt: { counts: { settings: 1, sections: 1 } } });
    expect(names()).toEqual([['title', 'Own title']]);
  });
});

describe('advanceTransferImport', () => {
  it('takes one step, and returns null for a complete import and before its execution an error', async () => {
    const planned = await imports.plan(sitePackage());
    await expect(advanceTransferImport(imports.ctx, imports.deps, planned)).rejects.toMatchObject({
      code: 'TRANSFER_INVALID_STATE',
    });
    await imports.ctx.db.query("UPDATE transfer_operations SET state = 'abandoned' WHERE id = $1", [planned]);
    const id = await imports.start(sitePackage());
    expect(await advanceTransferImport(imports.ctx, imports.deps, id)).toMatchObject({
      operation: { state: 'running', stage: 'reserve', progress: { done: 1 } },
      nextRequestInMs: 0,
    });
    await expect(getTransferImportReceipt(imports.ctx, id)).rejects.toMatchObject({
      code: 'TRANSFER_INVALID_STATE',
    });
    await imports.finish(id);
    expect(await advanceTransferImport(imports.ctx, imports.deps, id)).toMatchObject({
      operation: { state: 'complete' },
      nextRequestInMs: null,
    });
  });
});
