import { describe, expect, it } from '@jest/globals';
import { BusiestTenants } from './busiest-tenants.js';

function tenants() {
  let now = 5_000;
  const busiest = new BusiestTenants(() => now);
  const add = (tenant: string, count: number) => {
    for (let request = 0; request < count; request += 1) busiest.add(tenant);
  };
  return { add, rates: () => busiest.rates(), pass: (ms: number) => (now += ms) };
}

describe('BusiestTenants', () => {
  it('has the requests per second of the last complete minute', () => {
    const { add, rates, pass } = tenants();
    add('a', 30);
    add('b', 120);
    expect(rates()).toEqual([]);
    pass(60_000);
    add('a', 600);
    expect(rates()).toEqual([
      ['b', 2],
      ['a', 0.5],
    ]);
    pass(60_000);
    expect(rates()).toEqual([['a', 10]]);
  });

  it('has none after a minute without requests', () => {
    const { add, rates, pass } = tenants();
    add('a', 60);
    pass(120_000);
    expect(rates()).toEqual([]);
  });

  it('has at most twenty', () => {
    const { add, rates, pass } = tenants();
    for (let index = 1; index <= 30; index += 1) add(`site-${index}`, index);
    pass(60_000);
    expect(rates().map(([tenant]) => tenant)).toEqual(
      Array.from({ length: 20 }, (_, index) => `site-${30 - index}`),
    );
  });
});
