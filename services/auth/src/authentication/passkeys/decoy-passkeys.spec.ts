import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decoyPasskeys } from './decoy-passkeys.js';

const macOf = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest();
const people = Array.from({ length: 1_000 }, (_, index) => `person${index}@site.example`);
const all = people.map((email) => decoyPasskeys(macOf('site'), email));

describe('decoy passkeys', () => {
  it('are deterministic per site', () => {
    const [email = ''] = people;
    expect(decoyPasskeys(macOf('site'), email)).toEqual(all[0]);
    expect(decoyPasskeys(macOf('other site'), email)).not.toEqual(all[0]);
  });

  it('are unique per address', () => {
    const ids = all.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have realistic counts and types', () => {
    const numbers = [1, 2, 3].map((count) => all.filter(({ length }) => length === count).length);
    expect(numbers.every((count) => count > 0)).toBe(true);
    expect(numbers[0]).toBeGreaterThan(numbers[1] ?? 0);
    const kinds = new Set(
      all.flat().map(({ id, transports }) => `${Buffer.from(id, 'base64url').length} ${transports?.join()}`),
    );
    expect([...kinds].sort()).toEqual([
      '16 internal,hybrid',
      '20 internal,hybrid',
      '32 internal',
      '48 usb,nfc',
      '64 usb',
    ]);
  });
});
