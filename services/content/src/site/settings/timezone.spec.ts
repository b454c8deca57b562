import { describe, expect, it } from '@jest/globals';
import { timezoneNamed } from './timezone.js';

describe('the timezone of a site (decision 33)', () => {
  it.each([
    'Europe/Berlin',
    'UTC',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'US/Eastern',
    'EST',
    'CET',
  ])('accepts %s', (name) => expect(timezoneNamed(name)).toBe(name));

  it('is stored in its canonical spelling', () => {
    expect(timezoneNamed('europe/berlin')).toBe('Europe/Berlin');
  });

  it.each(['', '+01:00', 'PST', 'IST', 'GMT+5', 'Mars/Base', ' UTC', 'UTC\n', 'Europe/Berlin ', '../UTC'])(
    'rejects %j',
    (name) => expect(timezoneNamed(name)).toBeNull(),
  );
});
