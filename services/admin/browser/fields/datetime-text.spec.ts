import { describe, expect, it } from '@jest/globals';
import { hasSeconds, isTextOf, readDatetime, timeInsteadOf, writeDatetime } from './datetime-text.js';

const tokyo = 'Asia/Tokyo';
const berlin = 'Europe/Berlin';

describe('writeDatetime', () => {
  it.each([
    ['2026-12-08T23:00:00.000Z', tokyo, '2026-12-09T08:00'],
    ['2026-12-08T23:00:07.000Z', tokyo, '2026-12-09T08:00:07'],
    ['2026-12-08T23:00:07.345Z', tokyo, '2026-12-09T08:00:07'],
    ['2026-03-29T01:30:00.000Z', berlin, '2026-03-29T03:30'],
    ['2026-10-25T00:30:00.000Z', berlin, '2026-10-25T02:30'],
    ['2026-10-25T01:30:00.000Z', berlin, '2026-10-25T02:30'],
    // Before 1887 the clocks of Tokyo were ahead by 9:18:59.
    ['1880-01-01T00:00:01.000Z', tokyo, '1880-01-01T09:19'],
  ])('shows %s in %s as %s', (value, zone, text) => {
    expect(writeDatetime(value, zone)).toBe(text);
  });

  it.each([null, '', 'soon', 5, { at: 1 }])('shows nothing for %j', (value) => {
    expect(writeDatetime(value, tokyo)).toBe('');
  });
});

describe('readDatetime', () => {
  it.each([
    ['2026-12-09T08:00', tokyo, '2026-12-08T23:00:00.000Z'],
    ['2026-12-09T08:00:07', tokyo, '2026-12-08T23:00:07.000Z'],
    // Of a time that the clocks show twice, the first one.
    ['2026-10-25T02:30', berlin, '2026-10-25T00:30:00.000Z'],
    // A skipped time.
    ['2026-03-29T02:30', berlin, '2026-03-29T01:30:00.000Z'],
    ['0002-12-09T08:00', 'UTC', '0002-12-09T08:00:00.000Z'],
  ])('reads %s in %s as %s', (local, zone, value) => {
    expect(readDatetime(local, zone, null)).toBe(value);
  });

  it('is null for an empty text, and undefined for one that is no time', () => {
    expect(readDatetime('', tokyo, '2026-12-08T23:00:00.000Z')).toBeNull();
    expect(readDatetime('2026-13-40T08:00', tokyo, null)).toBeUndefined();
  });

  it.each([
    '2026-12-08T23:00:00.000Z',
    '2026-12-08T23:00:00.345Z',
    '2026-12-08T23:00:07.345Z',
    '2026-12-08T23:00:00Z',
    '2026-12-09T00:00:00+01:00',
    '1880-01-01T00:00:01.000Z',
    // The second of two times that look the same.
    '2026-10-25T01:30:00.000Z',
    '0001-06-01T00:00:00.000Z',
  ])('leaves %s as it is while its text is the same', (value) => {
    for (const zone of [tokyo, berlin, 'UTC', 'America/New_York'])
      expect(readDatetime(writeDatetime(value, zone), zone, value)).toBe(value);
  });

  it('takes seconds of zero for none', () => {
    const value = '2026-12-08T23:00:00.345Z';
    expect(readDatetime('2026-12-09T08:00:00', tokyo, value)).toBe(value);
    expect(readDatetime('2026-12-09T08:00:00.000', tokyo, value)).toBe(value);
  });
});

describe('isTextOf', () => {
  it('keeps the text of a skipped time, which means the time instead of it', () => {
    expect(isTextOf('2026-03-29T02:30', berlin, '2026-03-29T01:30:00.000Z')).toBe(true);
    expect(isTextOf('2026-03-29T03:30', berlin, '2026-03-29T01:30:00.000Z')).toBe(true);
  });

  it('tells a value of another editor from the text', () => {
    expect(isTextOf('2026-12-09T08:00', tokyo, '2026-12-08T23:01:00.000Z')).toBe(false);
    expect(isTextOf('2026-12-09T08:00', tokyo, null)).toBe(false);
    expect(isTextOf('', tokyo, null)).toBe(true);
  });
});

describe('timeInsteadOf', () => {
  it('is the time after the gap for a time that the clocks skip', () => {
    expect(timeInsteadOf('2026-03-29T02:30', berlin)?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it.each(['2026-03-29T01:59', '2026-03-29T03:00', '2026-10-25T02:30', ''])(
    'is undefined for %j',
    (local) => {
      expect(timeInsteadOf(local, berlin)).toBeUndefined();
    },
  );
});

it('hasSeconds is true for a time with seconds only', () => {
  expect(hasSeconds('2026-12-08T23:00:07.000Z', tokyo)).toBe(true);
  expect(hasSeconds('2026-12-08T23:00:00.345Z', tokyo)).toBe(false);
  expect(hasSeconds(null, tokyo)).toBe(false);
});
