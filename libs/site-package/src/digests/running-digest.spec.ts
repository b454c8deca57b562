import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { digestOf, digestSchema, sha256Of } from './digest.js';
import { RunningDigest } from './running-digest.js';

const bytes = randomBytes(1000);
const expected = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('RunningDigest', () => {
  it('computes the SHA-256 of bytes in parts', async () => {
    const running = await RunningDigest.open();
    for (let start = 0; start < bytes.length; start += 7) running.update(bytes.subarray(start, start + 7));
    expect(running.digest()).toBe(expected);
  });

  // 64 bytes are a block of the algorithm.
  it.each([0, 1, 63, 64, 65, 128, 999, 1000])('continues after %i bytes from its state', async (length) => {
    const state = (await RunningDigest.open()).update(bytes.subarray(0, length)).save();
    const resumed = await RunningDigest.open(state);
    expect(resumed.update(bytes.subarray(length)).digest()).toBe(expected);
    expect(state.length).toBeLessThan(200);
  });

  it('is saved without effect on the computation', async () => {
    const running = (await RunningDigest.open()).update(bytes.subarray(0, 100));
    expect(running.save()).toBe(running.save());
    expect(running.update(bytes.subarray(100)).digest()).toBe(expected);
  });

  it('reads texts as UTF-8', async () => {
    expect((await RunningDigest.open()).update('é€😀').digest()).toBe(digestOf('é€😀'));
  });

  it('computes several digests at the same time', async () => {
    const [first, second] = await Promise.all([RunningDigest.open(), RunningDigest.open()]);
    first.update('a');
    second.update('b');
    first.update('a');
    expect([first.digest(), second.digest()]).toEqual([digestOf('aa'), digestOf('b')]);
  });
});

describe('digestOf', () => {
  it('returns the same for bytes and their text', () => {
    expect(digestOf('é')).toBe(digestOf(Buffer.from('é')));
    expect(digestOf(bytes)).toBe(expected);
    expect(`sha256:${sha256Of(bytes)}`).toBe(expected);
    expect(digestSchema.parse(digestOf(''))).toBe(
      'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});
