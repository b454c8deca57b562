import { describe, expect, it } from '@jest/globals';
import { preparedStatementName } from './prepared-statement-names.js';

describe('preparedStatementName', () => {
  it('returns one name per statement text while it is in use', () => {
    const first = preparedStatementName('SELECT 1');
    for (let index = 0; index < 299; index += 1) preparedStatementName(`SELECT 'filler ${index}'`);
    expect(preparedStatementName('SELECT 1')).toBe(first);
    for (let index = 0; index < 299; index += 1) preparedStatementName(`SELECT 'more ${index}'`);
    expect(preparedStatementName('SELECT 1')).toBe(first);
  });

  it('evicts the least recently used text and never reuses a name', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 1_000; index += 1) seen.add(preparedStatementName(`SELECT 'text ${index}'`));
    expect(seen.size).toBe(1_000);
    const again = preparedStatementName("SELECT 'text 0'");
    expect(seen.has(again)).toBe(false);
  });
});
