import { describe, expect, it } from '@jest/globals';
import { planName } from './plan-names.js';

describe('names of kept plans', () => {
  it('are one a text, for as long as the text is in use', () => {
    const first = planName('SELECT 1');
    for (let index = 0; index < 299; index += 1) planName(`SELECT 'filler ${index}'`);
    expect(planName('SELECT 1')).toBe(first);
    for (let index = 0; index < 299; index += 1) planName(`SELECT 'more ${index}'`);
    expect(planName('SELECT 1')).toBe(first);
  });

  it('are dropped with the text that was not used for longest, and never given again', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 1_000; index += 1) seen.add(planName(`SELECT 'text ${index}'`));
    expect(seen.size).toBe(1_000);
    const again = planName("SELECT 'text 0'");
    expect(seen.has(again)).toBe(false);
  });
});
