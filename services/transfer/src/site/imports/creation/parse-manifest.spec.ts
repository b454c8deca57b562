import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { packageLimits } from '@quire/site-package';
import { buildPackage, recordOf } from '@quire/testing';
import { parseManifest } from './parse-manifest.js';

const { manifest } = buildPackage({ records: { menus: [recordOf('menus')] }, media: [Buffer.from('image')] });
const [file] = manifest.index;
const manyFiles = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    ...file,
    path: `index/${String(place + 1).padStart(6, '0')}.ndjson`,
  }));

/** Code and details of the rejection of a manifest, or of one with other properties. */
function rejectionOf(changed: object | string): unknown {
  try {
    parseManifest(typeof changed === 'string' ? changed : JSON.stringify({ ...manifest, ...changed }));
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    return [error.code, error.details];
  }
  return 'accepted';
}

describe('parseManifest', () => {
  it('returns a valid manifest', () => {
    expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest);
    expect(parseManifest(JSON.stringify({ ...manifest, index: manyFiles(10_000) })).index).toHaveLength(
      10_000,
    );
  });

  it.each<[string, object | string, string]>([
    ['no JSON', '{', ''],
    ['no bytes', '', ''],
    ['a list', '[]', ''],
    ['null', 'null', ''],
    ['a text', '"x"', ''],
    ['an empty object', '{}', 'formatVersion'],
    ['an unknown property', { comment: 1 }, 'comment'],
    ['a property of every object', JSON.stringify(manifest).replace('{', '{"__proto__":{},'), '__proto__'],
    ['no name', { packageId: '' }, 'packageId'],
    ['a name that cannot be stored', { siteId: 'a\0b' }, 'siteId'],
    ['half of a surrogate pair', { createdBy: { name: '\ud800', version: '1' } }, 'createdBy.name'],
    ['an unknown kind', { counts: { users: 1 } }, 'counts.users'],
    [
      'a kind with the name of a property of every object',
      { counts: JSON.parse('{"__proto__":1}') as object },
      'counts.__proto__',
    ],
    ['a negative count', { counts: { menus: -1 } }, 'counts.menus'],
    [
      'more kinds than there are',
      { counts: Object.fromEntries(manyFiles(40).map(({ path }) => [path, 1])) },
      'counts',
    ],
    ['optional features without end', { optionalFeatures: Array(101).fill('x') }, 'optionalFeatures'],
    ['features that are no texts', { features: Array(100_000).fill(1) }, 'features'],
    ['another time zone', { createdAt: '2026-01-02T03:04:05+01:00' }, 'createdAt'],
    ['a short hash', { index: [{ ...file, sha256: 'a' }] }, 'index.0.sha256'],
    ['an index file without bytes', { index: [{ ...file, bytes: 0 }] }, 'index.0.bytes'],
    ['an index that begins with 0', { index: [{ ...file, path: 'index/000000.ndjson' }] }, 'index.0.path'],
    ['an index with a gap', { index: [file, { ...file, path: 'index/000003.ndjson' }] }, 'index.1.path'],
    ['an index file twice', { index: [file, file] }, 'index.1.path'],
    ['a path outside of the package', { index: [{ ...file, path: '../000001.ndjson' }] }, 'index.0.path'],
    [
      'a file with records in the index',
      { index: [{ ...file, path: 'records/menus/000001.ndjson' }] },
      'index.0.path',
    ],
  ])('rejects %s with the path of the property', (_, changed, path) => {
    expect(rejectionOf(changed)).toEqual(['TRANSFER_MANIFEST_INVALID', { path }]);
  });

  it.each(['2', '1.0', '', 1, 2])('rejects the format version %j', (formatVersion) => {
    const details = { formatVersion: String(formatVersion) };
    expect(rejectionOf({ formatVersion, future: true })).toEqual(['TRANSFER_UNSUPPORTED_FORMAT', details]);
  });

  it('rejects required features, and ignores optional ones', () => {
    expect(rejectionOf({ features: ['encryption'], future: true })).toEqual([
      'TRANSFER_UNSUPPORTED_FEATURE',
      { feature: 'encryption' },
    ]);
    expect(rejectionOf({ optionalFeatures: ['thumbnails'] })).toBe('accepted');
  });

  it.each<[keyof typeof packageLimits, object]>([
    ['indexChunks', { index: manyFiles(10_001) }],
    ['chunkBytes', { index: [{ ...file, bytes: packageLimits.chunkBytes + 1 }] }],
    ['totalRecords', { counts: { menus: packageLimits.totalRecords, terms: 1 } }],
    ['totalFiles', { media: { count: packageLimits.totalFiles, bytes: 1 } }],
  ])('rejects what exceeds the limit %s', (limit, changed) => {
    const details = { limit, max: packageLimits[limit] };
    expect(rejectionOf(changed)).toEqual(['TRANSFER_LIMIT_EXCEEDED', details]);
  });

  it('repeats a bounded part of a hostile name', () => {
    const [, details] = rejectionOf({ ['x'.repeat(100_000)]: 1 }) as [string, { path: string }];
    expect(details.path).toHaveLength(200);
  });
});
