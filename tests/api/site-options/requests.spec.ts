import { describe, expect, it } from '@jest/globals';
import { eventually, statusAndCode, useSite } from '@quire/testing';
import { limit } from './support.js';

const site = useSite();
const other = useSite();
const get = (from = site) => from.anonymous().get('/auth/mode');

describe('the limit of the requests of a site in a second', () => {
  it('refuses further requests with 429 and Retry-After, and those of no other site', async () => {
    // The client reads the description of the API first.
    for (const each of [site, other]) expect((await get(each)).status).toBe(200);
    await limit(site, 'requests=2');
    // Requests of one second: one of them is refused when the gateway knows the limit.
    const send = () => Promise.all(Array.from({ length: 6 }, () => get()));
    const isLimited = (responses: { status: number }[]) => responses.some(({ status }) => status === 429);
    const responses = await eventually(send, isLimited);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused && statusAndCode(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(
      (await Promise.all(Array.from({ length: 6 }, () => get(other)))).map(({ status }) => status),
    ).toEqual(Array.from({ length: 6 }, () => 200));
    const metrics = await (await fetch(`${site.system.opsOrigin}/metrics`)).text();
    expect(metrics).toMatch(/quire_site_limit_errors_total\{limit="requests"\} [1-9]/);
    await limit(site, 'requests=none');
    const isFree = (sent: { status: number }[]) => sent.every(({ status }) => status === 200);
    expect(isFree(await eventually(send, isFree))).toBe(true);
  });
});
