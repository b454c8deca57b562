import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { digestOf, sha256Of } from './digest.js';
import { isInLogicalDigest, logicalBytesOf } from './logical-digest.js';

const revision = {
  id: '01R',
  collection: 'posts',
  entryId: '01E',
  data: { title: 'A', nested: { b: 1, a: [1, 2] } },
  authorId: '01USER',
  createdAt: '2026-01-02T03:04:05.678Z',
};
const bytes = (record: object) => logicalBytesOf('revisions', record as typeof revision).toString('hex');

describe('logicalBytesOf', () => {
  it('is the SHA-256 of the kind and the canonical JSON', () => {
    const canonical = '{"id":"a","name":"b"}';
    const expected = createHash('sha256').update(`widget_areas\n${canonical}`).digest();
    expect(logicalBytesOf('widget_areas', { name: 'b', id: 'a' })).toEqual(expected);
  });

  it('does not depend on the order of keys, at any depth', () => {
    const { data, ...rest } = revision;
    expect(bytes({ data: { nested: { a: [1, 2], b: 1 }, title: data.title }, ...rest })).toBe(
      bytes(revision),
    );
  });

  it('does not depend on users', () => {
    expect(bytes({ ...revision, authorId: '01OTHER' })).toBe(bytes(revision));
    expect(bytes({ ...revision, authorId: null })).toBe(bytes(revision));
  });

  it.each<[string, object]>([
    ['a value', { data: { ...revision.data, title: 'B' } }],
    ['the order of a list', { data: { ...revision.data, nested: { b: 1, a: [2, 1] } } }],
    ['an instant', { createdAt: '2026-01-02T03:04:05.679Z' }],
    ['an id', { id: '01S' }],
    ['a further property', { data: { ...revision.data, added: null } }],
  ])('depends on %s', (_, change) => {
    expect(bytes({ ...revision, ...change })).not.toBe(bytes(revision));
  });

  it('depends on the kind', () => {
    const record = { id: 'a' };
    expect(logicalBytesOf('menus', record)).not.toEqual(logicalBytesOf('widgets', record));
  });
});

describe('isInLogicalDigest', () => {
  it('is false for principals only', () => {
    expect(isInLogicalDigest('principals')).toBe(false);
    expect(isInLogicalDigest('entries')).toBe(true);
  });
});

describe('the example of docs/transfer-format.md', () => {
  const page = readFileSync(new URL('../../../../docs/transfer-format.md', import.meta.url), 'utf8');
  const [, record = ''] = /the revision\n\n```json\n(.*?)\n```/s.exec(page) ?? [];
  const [, lines = ''] = /these two lines.*?\n\n```\n(.*?)\n```/s.exec(page) ?? [];
  const [, recordHash, logicalDigest] =
    /Its result is\s+`(.*?)`, and\s+`logicalDigest` is\s+`(.*?)`/.exec(page) ?? [];

  it('has the bytes and the digests that are computed', () => {
    const computed = logicalBytesOf('revisions', JSON.parse(record) as typeof revision);
    expect(sha256Of(lines)).toBe(computed.toString('hex'));
    expect([recordHash, logicalDigest]).toEqual([computed.toString('hex'), digestOf(computed)]);
  });
});
