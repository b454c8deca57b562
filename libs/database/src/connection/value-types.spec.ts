import { describe, expect, it } from '@jest/globals';
import { isoFromTimestamp } from './value-types.js';

describe('isoFromTimestamp (document 3, datetime)', () => {
  it.each([
    ['2025-01-24 12:00:00+00', '2025-01-24T12:00:00.000Z'],
    ['2025-01-24 12:00:00.1+00', '2025-01-24T12:00:00.100Z'],
    ['2025-01-24 12:00:00.123+00', '2025-01-24T12:00:00.123Z'],
    ['2025-01-24 12:00:00.123456+00', '2025-01-24T12:00:00.123Z'],
    ['2025-01-24 12:00:00+02', '2025-01-24T10:00:00.000Z'],
  ])('converts %s to %s', (stored, written) => {
    expect(isoFromTimestamp(stored)).toBe(written);
  });
});
