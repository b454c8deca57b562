import { describe, expect, it } from '@jest/globals';
import type { Plan } from './plan.js';
import { toPlanSummary } from './plan-summary.js';

const digest = `sha256:${'0'.repeat(64)}` as const;
const plan: Plan = {
  formatVersion: '1',
  packageDigest: digest,
  origin: { siteId: 's', packageId: 'p', createdAt: '2026-01-01T00:00:00.000Z', createdByVersion: '1.2.3' },
  target: { siteId: 't', dialect: 'postgres', version: '1' },
  counts: { entries: 2 },
  bytes: { records: 10, media: 20 },
  principals: [
    { id: 'u1', displayName: 'Ada', email: 'ada@example.com', references: 3, suggestedUserId: 'v1' },
    { id: 'u2', displayName: 'bob@example.com', email: 'bob@example.com', references: 1 },
  ],
  settings: { title: { package: 'Secret title' }, tagline: {} },
  decisions: { principalMappings: { u1: 'v2', u2: null }, siteTitle: 'package', siteTagline: 'target' },
  transformations: [{ code: 'principals_mapped', count: 3 }],
  warnings: [],
  blockers: [],
  estimatedSteps: 12,
};
const summary = toPlanSummary(plan, `sha256:${'1'.repeat(64)}`);

describe('toPlanSummary (contract 12)', () => {
  it('has the properties of the contract, with suggested and mapped users', () => {
    expect(summary).toEqual({
      packageDigest: digest,
      planDigest: `sha256:${'1'.repeat(64)}`,
      executable: true,
      origin: { siteId: 's', packageId: 'p', createdAt: '2026-01-01T00:00:00.000Z', version: '1.2.3' },
      counts: { entries: 2 },
      bytes: { records: 10, media: 20 },
      principals: {
        total: 2,
        items: [
          { id: 'u1', displayName: 'Ada', references: 3, suggestedUserId: 'v1', mappedUserId: 'v2' },
          { id: 'u2', displayName: 'u2', references: 1, suggestedUserId: null, mappedUserId: null },
        ],
      },
      decisions: { siteTitle: 'package', siteTagline: 'target' },
      transformations: [{ code: 'principals_mapped', count: 3 }],
      warnings: { total: 0, items: [] },
      blockers: { total: 0, items: [] },
      estimatedSteps: 12,
    });
  });

  it('has no mail addresses', () => {
    expect(JSON.stringify(summary)).not.toContain('@');
  });

  it('lists 50 principals, warnings and blockers at most, with the number of all', () => {
    const issue = { code: 'dangling_reference', message: 'It has no target', kind: 'entries' } as const;
    const { blockers, warnings, principals, executable } = toPlanSummary(
      {
        ...plan,
        principals: Array.from({ length: 51 }, (_, index) => ({
          ...{ id: `u${index}`, displayName: 'A', references: 1 },
        })),
        warnings: Array.from({ length: 52 }, () => ({ code: 'media_row_missing', message: 'm' }) as const),
        blockers: Array.from({ length: 53 }, () => issue),
      },
      digest,
    );
    expect([principals, warnings, blockers].map(({ total, items }) => [total, items.length])).toEqual([
      [51, 50],
      [52, 50],
      [53, 50],
    ]);
    expect(executable).toBe(false);
  });

  it('names the property of an issue, and leaves out other details', () => {
    const detail = { property: 'slug', value: 'content of a record' };
    const blocker = { code: 'unique_violation', message: 'm', kind: 'entries', id: 'e1', count: 2 } as const;
    const { blockers } = toPlanSummary({ ...plan, blockers: [{ ...blocker, detail }] }, digest);
    expect(blockers.items).toEqual([{ ...blocker, property: 'slug' }]);
  });
});
