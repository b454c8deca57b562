import { describe, expect, it } from '@jest/globals';
import { targetStatus } from './status.js';

const now = new Date('2026-01-01T00:00:00Z');
const later = new Date('2098-05-01T07:30:00Z');
const earlier = new Date('2015-05-01T07:30:00Z');

describe('targetStatus', () => {
  it.each([
    ['publish', 'published', []],
    ['draft', 'draft', []],
    ['pending', 'draft', ['STATUS_CHANGED']],
    ['private', 'draft', ['STATUS_CHANGED']],
    ['trash', 'trashed', []],
    ['auto-draft', 'skipped', []],
    ['inherit', 'skipped', []],
    ['wc-completed', 'draft', ['STATUS_CHANGED']],
    ['', 'draft', ['STATUS_CHANGED']],
  ])('makes %s %s', (status, expected, warnings) => {
    expect(targetStatus({ status, password: '' }, earlier, now)).toEqual({ status: expected, warnings });
  });

  it('schedules what is later than now, and nothing else', () => {
    const future = { status: 'future', password: '' };
    expect(targetStatus(future, later, now)).toEqual({
      status: 'scheduled',
      scheduledAt: later,
      warnings: [],
    });
    for (const date of [earlier, now, null]) {
      expect(targetStatus(future, date, now)).toEqual({ status: 'draft', warnings: ['STATUS_CHANGED'] });
    }
  });

  it('never makes an item with a password public', () => {
    const withPassword = (status: string) => targetStatus({ status, password: 'x' }, later, now);
    expect(withPassword('publish')).toEqual({ status: 'draft', warnings: ['PASSWORD_REMOVED'] });
    expect(withPassword('future')).toEqual({ status: 'draft', warnings: ['PASSWORD_REMOVED'] });
    expect(withPassword('private')).toEqual({
      status: 'draft',
      warnings: ['STATUS_CHANGED', 'PASSWORD_REMOVED'],
    });
    expect(withPassword('trash')).toEqual({ status: 'trashed', warnings: ['PASSWORD_REMOVED'] });
    expect(withPassword('auto-draft')).toEqual({ status: 'skipped', warnings: [] });
  });
});
