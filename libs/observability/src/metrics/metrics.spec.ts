import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';

const lines = async (metrics: Metrics) =>
  (await metrics.registry.getSingleMetricAsString('quire_things'))
    .split('\n')
    .filter((line) => !line.startsWith('#'));

describe('Metrics.gauge', () => {
  it('reads each series of a name at the scrape', async () => {
    const metrics = new Metrics();
    let count = 1;
    const things = { name: 'quire_things', help: 'Things' };
    metrics.gauge({ ...things, labels: { service: 'a' } }, () => count);
    metrics.gauge({ ...things, labels: { service: 'b' } }, () => Promise.resolve(count * 10));
    expect(await lines(metrics)).toEqual(['quire_things{service="a"} 1', 'quire_things{service="b"} 10']);
    count = 2;
    expect(await lines(metrics)).toEqual(['quire_things{service="a"} 2', 'quire_things{service="b"} 20']);
  });

  it('leaves out a series whose read fails', async () => {
    const metrics = new Metrics();
    const things = { name: 'quire_things', help: 'Things' };
    metrics.gauge({ ...things, labels: { service: 'a' } }, () => Promise.reject(new Error('no database')));
    metrics.gauge({ ...things, labels: { service: 'b' } }, () => 5);
    expect(await lines(metrics)).toEqual(['quire_things{service="b"} 5']);
  });

  it('needs no labels', async () => {
    const metrics = new Metrics();
    let isFailing = false;
    metrics.gauge({ name: 'quire_things', help: 'Things' }, () => {
      if (isFailing) throw new Error('no database');
      return 3;
    });
    expect(await lines(metrics)).toEqual(['quire_things 3']);
    isFailing = true;
    expect(await lines(metrics)).toEqual([]);
  });
});
