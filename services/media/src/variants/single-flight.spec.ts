import { expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

it('runs once for concurrent callers and again for later ones', async () => {
  const shared = new SingleFlight<number>();
  let times = 0;
  const work = async () => {
    await new Promise((done) => setImmediate(done));
    return (times += 1);
  };
  const wanted = ['a', 'a', 'b', 'a'].map((key) => shared.run(key, work));
  expect(await Promise.all(wanted)).toEqual([1, 1, 2, 1]);
  expect(await shared.run('a', work)).toBe(3);
});

it('rejects all concurrent callers on failure and retries for later ones', async () => {
  const shared = new SingleFlight<string>();
  const failing = () => Promise.reject(new Error('not now'));
  const wanted = [shared.run('a', failing), shared.run('a', failing)];
  const results = await Promise.allSettled(wanted);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.run('a', async () => 'done')).toBe('done');
});
