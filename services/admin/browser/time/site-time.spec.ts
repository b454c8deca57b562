import { describe, expect, it } from '@jest/globals';
import { createFormatters } from './formatters.js';
import {
  endOfDay,
  instantOf,
  isDate,
  localSecondsOf,
  localTimeOf,
  placeOf,
  startOfDay,
} from './site-time.js';

describe('instantOf', () => {
  it.each([
    ['2026-12-09T08:00', 'Asia/Tokyo', '2026-12-08T23:00:00.000Z'],
    ['2026-12-09T08:00', 'UTC', '2026-12-09T08:00:00.000Z'],
    ['2026-07-01T12:00', 'America/New_York', '2026-07-01T16:00:00.000Z'],
    // The clocks show this time twice: the first one counts.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    // The clocks skip this time.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => {
    expect(instantOf(local, zone)?.toISOString()).toBe(instant);
  });

  it('is undefined for another text', () => {
    expect(instantOf('', 'UTC')).toBeUndefined();
    expect(instantOf('2026-13-01T00:00', 'UTC')).toBeUndefined();
  });

  it('is the reverse of localTimeOf', () => {
    const instant = new Date('2026-12-08T23:00:00.000Z');
    expect(localTimeOf(instant, 'Asia/Tokyo')).toBe('2026-12-09T08:00');
  });

  it.each(['0002-12-09T08:00', '0020-12-09T08:00', '0202-12-09T08:00'])(
    'reads %s, a year that is being typed',
    (local) => {
      const instant = instantOf(local, 'Asia/Tokyo') ?? new Date(0);
      expect(localSecondsOf(instant, 'Asia/Tokyo')).toBe(`${local}:00`);
    },
  );
});

describe('days of a zone', () => {
  it('begin and end at its midnight', () => {
    expect(startOfDay('2026-12-09', 'Asia/Tokyo')).toBe('2026-12-08T15:00:00.000Z');
    expect(endOfDay('2026-12-09', 'Asia/Tokyo')).toBe('2026-12-09T14:59:59.999Z');
    expect(endOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T21:59:59.999Z');
  });

  it.each([
    ['2026-12-09', true],
    ['2026-02-30', false],
    ['2026-12', false],
    ['', false],
  ])('%j is a day: %s', (text, isDay) => expect(isDate(text)).toBe(isDay));
});

describe('createFormatters', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const times = createFormatters('en', 'Asia/Tokyo', () => now);

  it.each([
    ['2026-11-28T11:59:50Z', 'now'],
    ['2026-11-28T12:00:20Z', 'now'],
    ['2026-11-28T11:58:00Z', '2 minutes ago'],
    ['2026-11-28T09:00:00Z', '3 hours ago'],
    ['2026-11-27T11:00:00Z', 'yesterday'],
    ['2025-10-28T12:00:00Z', 'last year'],
  ])('%s is %s', (iso, text) => expect(times.relative(iso)).toBe(text));

  it('shows days and times of the zone, and the year of another one', () => {
    expect(times.day('2026-11-28T16:00:00Z')).toBe('Nov 29');
    expect(times.day('2024-11-28T16:00:00Z')).toBe('Nov 29, 2024');
    expect(times.moment('2026-11-28T16:00:00Z')).toBe('Nov 29, 01:00 AM (Tokyo)');
    expect(placeOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
  });
});
