import { expect, it } from '@jest/globals';
import { SharedWork } from './shared-work.js';

it('work that several want at the same time is done once, and anew when it is wanted later', async () => {
  const shared = new SharedWork<number>();
  let times = 0;
  const work = async () => {
    await new Promise((done) => setImmediate(done));
    return (times += 1);
  };
  const wanted = ['a', 'a', 'b', 'a'].map((key) => shared.run(key, work));
  expect(await Promise.all(wanted)).toEqual([1, 1, 2, 1]);
  expect(await shared.run('a', work)).toBe(3);
});

it('work that fails, fails for all who wanted it, and is tried again', async () => {
  const shared = new SharedWork<string>();
  const failing = () => Promise.reject(new Error('not now'));
  const wanted = [shared.run('a', failing), shared.run('a', failing)];
  const results = await Promise.allSettled(wanted);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.run('a', async () => 'done')).toBe('done');
});
