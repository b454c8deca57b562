import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  openSite,
  statusAndCode,
  useSite,
  type ApiResponse,
  type CommentedEntry,
} from '@quire/testing';

const site = useSite();
let commentedEntry: CommentedEntry;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
});

const statuses = (responses: ApiResponse[]) => responses.map(({ status }) => status).sort();
const times = (count: number, send: () => Promise<ApiResponse>) =>
  Promise.all(Array.from({ length: count }, send));

describe('the limit on submissions (contract 4)', () => {
  it('lets five of one address in, also of many at once, and says when to come again', async () => {
    const responses = await times(8, () => commentedEntry.submit({}, { address: '192.0.2.1' }));
    expect(statuses(responses)).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.error.code).toBe('RATE_LIMITED');
    const seconds = Number(rejected?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
    expect((await commentedEntry.submit({}, { address: '192.0.2.2' })).status).toBe(201);
  });

  it('knows an address again in another spelling', async () => {
    await times(5, () => commentedEntry.submit({}, { address: '2001:db8::7' }));
    expect((await commentedEntry.submit({}, { address: '2001:0DB8:0::0:7' })).status).toBe(429);
  });

  it('counts the /64 network of an IPv6 address, of which one client has all', async () => {
    let host = 0;
    const responses = await times(7, () =>
      commentedEntry.submit({}, { address: `2001:db8:1:2::${(host += 1)}` }),
    );
    expect(statuses(responses)).toEqual([201, 201, 201, 201, 201, 429, 429]);
    expect((await commentedEntry.submit({}, { address: '2001:db8:1:2:ffff::1' })).status).toBe(429);
    expect((await commentedEntry.submit({}, { address: '2001:db8:1:3::1' })).status).toBe(201);
  });

  it('applies to signed-in authors as well, and across all entries of the site', async () => {
    const client = await site.as('subscriber');
    await times(5, () => commentedEntry.submit({}, { address: '192.0.2.3', client }));
    const other = await createCommentedEntry(site);
    expect(statusAndCode(await other.submit({}, { address: '192.0.2.3' }))).toEqual([429, 'RATE_LIMITED']);
  });

  it('does not count what is refused before, nor what a program sends', async () => {
    const address = '192.0.2.4';
    await times(6, () => commentedEntry.submit({ body: '' }, { address }));
    await times(6, () => commentedEntry.submit({ website_url: 'x' }, { address }));
    expect((await commentedEntry.submit({}, { address })).status).toBe(201);
  });

  it('counts by the connection who comes past the trusted proxies, whatever else they say of themselves', async () => {
    const headers = () => ({
      'x-real-ip': undefined,
      'x-cms-client-address': `192.0.2.${Math.floor(Math.random() * 250)}`,
      'x-client-ip': '192.0.2.9',
    });
    const body = { authorName: 'Ann', authorEmail: 'ann@x.example', body: 'Hi' };
    const responses = await times(25, () =>
      site.anonymous().post(commentedEntry.path, body, { headers: headers() }),
    );
    expect(statuses(responses).filter((status) => status === 201)).toHaveLength(5);
    expect(statuses(responses).filter((status) => status === 429)).toHaveLength(20);
    expect((await commentedEntry.submit()).status).toBe(201);
  });

  it('takes of x-forwarded-for the last address, and x-real-ip before it (decision 54)', async () => {
    const body = { authorName: 'Ann', authorEmail: 'ann@x.example', body: 'Hi' };
    const send = (headers: Record<string, string>) =>
      site.anonymous().post(commentedEntry.path, body, { headers });
    await times(5, () => send({ 'x-forwarded-for': '10.0.0.1, 192.0.2.20' }));
    expect((await send({ 'x-forwarded-for': '10.9.9.9, 192.0.2.20' })).status).toBe(429);
    expect((await send({ 'x-forwarded-for': '192.0.2.20, 192.0.2.21' })).status).toBe(201);
    expect((await send({ 'x-forwarded-for': '192.0.2.20', 'x-real-ip': '192.0.2.22' })).status).toBe(201);
  });

  it('is separate per site', async () => {
    const neighbour = await openSite();
    const elsewhere = await createCommentedEntry(neighbour);
    expect((await elsewhere.submit({}, { address: '192.0.2.1' })).status).toBe(201);
    expect((await elsewhere.submit({}, { address: null })).status).toBe(201);
    await neighbour.close();
  });

  it('does not limit reading', async () => {
    const responses = await times(30, () => site.anonymous().get(commentedEntry.path));
    expect(new Set(statuses(responses))).toEqual(new Set([200]));
  });
});
