import { describe, expect, it } from '@jest/globals';
import { isSkipped, readDatetime, writeDatetime } from './datetime-text.js';

const berlin = 'Europe/Berlin';

describe('a time in the zone of the site', () => {
  it.each([
    ['2026-12-09T07:00:00.000Z', '2026-12-09T08:00'],
    ['2026-12-09T07:00:05.000Z', '2026-12-09T08:00:05'],
    ['2026-07-09T06:00:00.000Z', '2026-07-09T08:00'],
  ])('%s is written as %s', (value, local) => {
    expect(writeDatetime(value, berlin)).toBe(local);
    expect(readDatetime(local, berlin, null)).toBe(value);
  });

  it('is stored unchanged while its text is: with its milliseconds, and in the form that it has', () => {
    const value = '2026-12-09T07:00:05.123Z';
    expect(readDatetime(writeDatetime(value, berlin), berlin, value)).toBe(value);
  });

  it.each([null, 'soon', 7])('has no text for %j', (value) => {
    expect(writeDatetime(value, berlin)).toBe('');
  });

  it('is cleared by an empty text, and left alone by one that is no time', () => {
    expect(readDatetime('', berlin, '2026-12-09T07:00:00.000Z')).toBeNull();
    expect(readDatetime('2026-12', berlin, null)).toBeUndefined();
  });

  it('is skipped by the clocks in the hour before summer time', () => {
    expect(isSkipped('2026-03-29T02:30', berlin)).toBe(true);
    expect(isSkipped('2026-03-29T03:30', berlin)).toBe(false);
    expect(isSkipped('2026-03-29T02:30', 'Asia/Tokyo')).toBe(false);
  });
});
