import { expect, it } from '@jest/globals';
import { createUlid } from './ulid.js';

it('has the form of a ULID', () => {
  expect(createUlid()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

it('begins with its time', () => {
  expect(createUlid(1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41');
  expect(createUlid(0).slice(0, 10)).toBe('0000000000');
});

it('is another one each time', () => {
  expect(new Set(Array.from({ length: 100 }, () => createUlid(0))).size).toBe(100);
});
