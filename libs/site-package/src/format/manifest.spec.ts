import { describe, expect, it } from '@jest/globals';
import { manifestSchema } from './manifest.js';

const digest = `sha256:${'0'.repeat(64)}`;
const file = { path: 'index/000001.ndjson', bytes: 10, sha256: 'f'.repeat(64) };
const manifest = {
  formatVersion: '1',
  packageId: '01PACKAGE',
  siteId: 'default',
  createdAt: '2026-01-02T03:04:05.678Z',
  createdBy: { name: 'Quire', version: '1.0.0' },
  features: [],
  optionalFeatures: ['comments'],
  counts: { entries: 3 },
  media: { count: 1, bytes: 5 },
  records: { count: 1, bytes: 7 },
  logicalDigest: digest,
  index: [file],
};

const withoutKey = (key: keyof typeof manifest) =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => name !== key));

describe('manifestSchema', () => {
  it('accepts a manifest and returns it unchanged', () => {
    expect(manifestSchema.parse(manifest)).toEqual(manifest);
  });

  it.each(Object.keys(manifest) as (keyof typeof manifest)[])('rejects a manifest without %s', (key) => {
    expect(manifestSchema.safeParse(withoutKey(key)).success).toBe(false);
  });

  it.each<[string, object]>([
    ['an unknown property', { comment: 'x' }],
    ['an unknown property of the program', { createdBy: { ...manifest.createdBy, url: 'x' } }],
    ['an unknown property of a file', { index: [{ ...file, mode: 0o777 }] }],
    ['another version of the format', { formatVersion: '2' }],
    ['a number as version of the format', { formatVersion: 1 }],
    ['an empty id', { packageId: '' }],
    ['a long id', { siteId: 'x'.repeat(201) }],
    ['a date without time', { createdAt: '2026-01-02' }],
    ['an unknown kind', { counts: { users: 1 } }],
    ['a negative count', { counts: { entries: -1 } }],
    ['a fraction', { media: { count: 0.5, bytes: 0 } }],
    ['a number beyond 2^53', { records: { count: 1, bytes: 2 ** 53 } }],
    ['a digest without its algorithm', { logicalDigest: '0'.repeat(64) }],
    ['a digest in upper case', { logicalDigest: `sha256:${'A'.repeat(64)}` }],
    ['a digest with a line feed', { logicalDigest: `${digest}\n` }],
    ['too many features', { features: Array.from({ length: 101 }, (_, index) => `f${index}`) }],
    ['too many index files', { index: Array.from({ length: 10_001 }, () => file) }],
    ['a long path', { index: [{ ...file, path: 'x'.repeat(201) }] }],
    ['a short hash', { index: [{ ...file, sha256: 'f'.repeat(63) }] }],
  ])('rejects %s', (_, change) => {
    expect(manifestSchema.safeParse({ ...manifest, ...change }).success).toBe(false);
  });

  it('takes __proto__ as an unknown property', () => {
    const hostile: unknown = JSON.parse(JSON.stringify(manifest).replace('{', '{"__proto__":{"x":1},'));
    expect(manifestSchema.safeParse(hostile).success).toBe(false);
  });
});
