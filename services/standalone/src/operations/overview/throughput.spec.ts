import { describe, expect, it } from '@jest/globals';
import { Throughput } from './throughput.js';

const read = (throughput: Throughput, seconds: number, counts: Record<string, number>) =>
  Object.fromEntries(throughput.perMinute(new Map(Object.entries(counts)), seconds * 1000));

describe('Throughput', () => {
  it('is the growth in a minute since the earliest read of ten minutes', () => {
    const throughput = new Throughput();
    expect(read(throughput, 0, { search: 100, media: 5 })).toEqual({ search: null, media: null });
    expect(read(throughput, 30, { search: 160, media: 5 })).toEqual({ search: 120, media: 0 });
    expect(read(throughput, 60, { search: 160, media: 6 })).toEqual({ search: 60, media: 1 });
    expect(read(throughput, 660, { search: 760, media: 6 })).toEqual({ search: 60, media: 0 });
    expect(read(throughput, 2_000, { search: 9_999, media: 6 })).toEqual({ search: null, media: null });
  });

  it('is not negative after the store was emptied, and unknown for a new name', () => {
    const throughput = new Throughput();
    read(throughput, 0, { search: 100 });
    expect(read(throughput, 60, { search: 3, media: 1 })).toEqual({ search: 0, media: null });
  });
});
