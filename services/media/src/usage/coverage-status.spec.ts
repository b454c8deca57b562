import { describe, expect, it } from '@jest/globals';
import { coverageStatus } from './coverage-status.js';

type Row = Parameters<typeof coverageStatus>[1][number];

/** The coverage of a collection in short: its status and flags. */
function row(text: string, index: number): Row {
  const [status = '', ...more] = text.split(' ');
  return {
    collectionId: `c${index}`,
    status,
    isOutdated: more.includes('outdated'),
    hasCompleted: more.includes('done') || status === 'complete' || status === 'stale',
    isRepairAlive: status === 'running' && !more.includes('dead'),
    hasLateWork: more.includes('late'),
  };
}

/** `-` is a collection without a row. */
function statusOf(...texts: string[]) {
  const collections = texts.map((_, index) => ({ id: `c${index}` }));
  const rows = texts.map(row).filter(({ status }) => status !== '-');
  return coverageStatus(collections, rows);
}

describe('the coverage of a site (document 1, Media usage coverage status)', () => {
  it.each([
    ['complete', []],
    ['complete', ['complete', 'complete']],
    ['never', ['-']],
    ['never', ['-', 'never']],
    ['never', ['failed', '-']],
    ['never', ['partial', '-']],
    ['running', ['running', '-']],
    ['running', ['complete', 'running done', 'failed']],
    ['partial', ['complete', '-']],
    ['partial', ['complete', 'failed']],
    ['partial', ['complete', 'partial']],
    ['partial', ['stale', 'failed done']],
    ['failed', ['failed', 'failed done']],
    ['failed', ['running dead']],
    ['stale', ['stale', 'stale']],
    ['stale', ['complete', 'stale']],
    ['stale', ['complete outdated']],
    ['stale', ['complete late']],
    ['unknown', ['complete', 'perplexed']],
    ['unknown', ['running', 'perplexed']],
  ])('is %s with %j', (expected, texts) => {
    expect(statusOf(...texts)).toBe(expected);
  });

  it('ignores deleted collections', () => {
    expect(coverageStatus([{ id: 'c0' }], [row('complete', 0), row('failed', 1)])).toBe('complete');
  });
});
