import { describe, expect, it } from '@jest/globals';
import { statusWords } from './entry-status.js';

const draft = {
  status: 'draft',
  isChanged: false,
  isOverdue: false,
  publishedAt: null,
  scheduledAt: null,
} as const;
const may = '2026-05-03T00:00:00.000Z';
const december = '2026-12-09T08:00:00.000Z';

describe('statusWords', () => {
  it.each([
    ['status.draft', 'draft', draft, undefined],
    ['status.unpublished', 'draft', { ...draft, publishedAt: may }, may],
    ['status.scheduled', 'scheduled', { ...draft, status: 'scheduled', scheduledAt: december }, december],
    ['status.overdue', 'overdue', { ...draft, status: 'scheduled', scheduledAt: may, isOverdue: true }, may],
    ['status.published', 'published', { ...draft, status: 'published', publishedAt: may }, may],
    ['status.live', 'published', { ...draft, status: 'published' }, undefined],
    [
      'status.changed',
      'changed',
      { ...draft, status: 'published', publishedAt: may, isChanged: true },
      undefined,
    ],
    [
      'status.changesScheduled',
      'scheduled',
      { ...draft, status: 'published', publishedAt: may, isChanged: true, scheduledAt: december },
      december,
    ],
    ['status.trash', 'trash', { ...draft, publishedAt: may, deletedAt: december }, december],
  ] as const)('is %s', (message, kind, row, at) => {
    expect(statusWords(row)).toMatchObject({ message, kind });
    expect(statusWords(row).at).toBe(at);
  });
});
