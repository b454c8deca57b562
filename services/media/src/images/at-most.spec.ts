import { expect, it } from '@jest/globals';
import { AtMost } from './at-most.js';

it('so many pieces of work run at once, all of them in the end, also when some fail', async () => {
  const atMost = new AtMost(2);
  let running = 0;
  let most = 0;
  const work = async (index: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    if (index % 3 === 0) throw new Error('one of those that fail');
    return index;
  };
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, index) => atMost.run(() => work(index))),
  );
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
});
