import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { packageLimits } from '@quire/site-package';
import { useFixture } from '@quire/testing';
import { openSiteExports } from './exports.fixture.js';
import { assertRecordFits, assertWithin } from './package-limits.js';

const exports = useFixture(() => openSiteExports('spec-of-package-limits'));
const exceeded = (details: object) =>
  expect.objectContaining({ code: 'TRANSFER_LIMIT_EXCEEDED', details: expect.objectContaining(details) });
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('assertWithin', () => {
  it.each([
    'manifestBytes',
    'chunkBytes',
    'totalRecords',
    'totalFiles',
    'indexChunks',
    'maxBlobBytes',
  ] as const)('accepts %s at the limit, and rejects one more', (limit) => {
    const most = packageLimits[limit];
    assertWithin(limit, most);
    expect(() => assertWithin(limit, most + 1, { path: 'a' })).toThrow(
      exceeded({ limit, value: most + 1, path: 'a' }),
    );
  });
});

describe('assertRecordFits', () => {
  const fits = (record: Record<string, unknown>, line = JSON.stringify(record)) =>
    assertRecordFits('settings', line, record);

  it('accepts a record at the limits', () => {
    fits({ key: 'x'.repeat(200), value: nested(packageLimits.jsonDepth - 1) });
    fits({ key: 'title' }, 'x'.repeat(packageLimits.recordLineBytes));
  });

  it.each([
    ['keyCharacters', { key: 'x'.repeat(201) }, undefined],
    ['jsonDepth', { key: 'title', value: nested(packageLimits.jsonDepth) }, undefined],
    ['recordLineBytes', { key: 'title' }, `${'x'.repeat(packageLimits.recordLineBytes - 1)}é`],
  ])('rejects one beyond %s', (limit, record, line) => {
    const id = record.key.slice(0, 200);
    expect(() => fits(record, line)).toThrow(exceeded({ limit, kind: 'settings', id }));
  });
});

describe('an export of a site beyond a limit', () => {
  const failure = {
    state: 'failed',
    errorCode: 'TRANSFER_LIMIT_EXCEEDED',
    attemptCount: 1,
    packageDigest: null,
  };
  const finish = async () => exports.finish(await exports.start());

  it('fails with too many collections', async () => {
    const { content } = exports.owners.records;
    const { collections = [] } = content;
    content.collections = Array.from({ length: 501 }, (_, index) => ({ slug: `c${index}` }));
    expect(await finish()).toMatchObject({ ...failure, errorDetail: { limit: 'collections', value: 501 } });
    content.collections = collections;
  });

  it('fails at the record', async () => {
    const { content } = exports.owners.records;
    content.settings = [{ key: 'title', value: nested(packageLimits.jsonDepth) }];
    expect(await finish()).toMatchObject({
      ...failure,
      errorDetail: { limit: 'jsonDepth', kind: 'settings', id: 'title' },
    });
    content.settings = [];
  });

  it('fails at the media file', async () => {
    const [file] = exports.owners.mediaFiles;
    const large = {
      sha256: 'f'.repeat(64),
      objectKey: file?.objectKey ?? '',
      bytes: packageLimits.maxBlobBytes + 1,
    };
    exports.owners.mediaFiles.push(large);
    expect(await finish()).toMatchObject({
      ...failure,
      errorDetail: { limit: 'maxBlobBytes', path: `media/${large.sha256}` },
    });
    exports.owners.mediaFiles.pop();
  });
});
