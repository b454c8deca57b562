import { describe, expect, it } from '@jest/globals';
import { recordKinds } from '../records/record-kinds.js';
import { fileNumberOf, indexPath, manifestPath, mediaPath, packageFileAt, recordsPath } from './paths.js';

const sha256 = 'a1'.repeat(32);

describe('packageFileAt', () => {
  it('returns what the built paths name', () => {
    expect(packageFileAt(indexPath(1))).toEqual({ type: 'index' });
    expect(packageFileAt(mediaPath(sha256))).toEqual({ type: 'media', sha256 });
    for (const kind of recordKinds)
      expect(packageFileAt(recordsPath(kind, 12))).toEqual({ type: 'records', kind });
  });

  it.each([
    manifestPath,
    '',
    '.',
    '/',
    'index/',
    'index/1.ndjson',
    'index/0000001.ndjson',
    'index/000001.ndjson.gz',
    'index/000001_ndjson',
    'index/000001.NDJSON',
    '/index/000001.ndjson',
    './index/000001.ndjson',
    'index//000001.ndjson',
    'index/../index/000001.ndjson',
    'index\\000001.ndjson',
    'index/000001.ndjson\n',
    'index/000001.ndjson\0',
    'index/000001.ndjson/',
    ' index/000001.ndjson',
    'x/index/000001.ndjson',
    'index%2F000001.ndjson',
    'index/٠٠٠٠٠١.ndjson',
    'records/000001.ndjson',
    'records/users/000001.ndjson',
    'records/entries/posts/000001.ndjson',
    'records/../000001.ndjson',
    'records/ENTRIES/000001.ndjson',
    'records/__proto__/000001.ndjson',
    'records/entries|terms/000001.ndjson',
    'media/',
    `media/${sha256.slice(1)}`,
    `media/${sha256}0`,
    `media/${sha256.toUpperCase()}`,
    `media/${sha256}.jpg`,
    `media/../${sha256}`,
    `media/../../${sha256.slice(6)}`,
    `C:/media/${sha256}`,
    `file:///media/${sha256}`,
    `media/${sha256}\nindex/000001.ndjson`,
  ])('returns undefined for %j', (path) => {
    expect(packageFileAt(path)).toBeUndefined();
  });
});

describe('fileNumberOf', () => {
  it('returns the number of files that have one', () => {
    expect(fileNumberOf(indexPath(7))).toBe(7);
    expect(fileNumberOf(recordsPath('entries', 123_456))).toBe(123_456);
    expect(fileNumberOf('records/menus/000000.ndjson')).toBe(0);
    expect(fileNumberOf('manifest.json')).toBeNaN();
    expect(fileNumberOf(mediaPath(sha256))).toBeNaN();
  });
});
