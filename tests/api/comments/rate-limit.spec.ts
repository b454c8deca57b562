import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  openSite,
  statusAndCode,
  useSite,
  type ApiResponse,
  type CommentedEntry,
} from '@quire/testing';
import { guestComment } from './support.js';

const site = useSite();
let commentedEntry: CommentedEntry;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
});

const statuses = (responses: ApiResponse[]) => responses.map(({ status }) => status).sort();
const times = (count: number, send: () => Promise<ApiResponse>) =>
  Promise.all(Array.from({ length: count }, send));

describe('rate limit of POST /comments/{collection}/{contentId} (contract 4)', () => {
  it('accepts 5 of 8 concurrent requests of one client address, and returns 429 with Retry-After to the others', async () => {
    const responses = await times(8, () => commentedEntry.submit({}, { address: '192.0.2.1' }));
    expect(statuses(responses)).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.error.code).toBe('RATE_LIMITED');
    const seconds = Number(rejected?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
    expect((await commentedEntry.submit({}, { address: '192.0.2.2' })).status).toBe(201);
  });

  it('recognises an address in another spelling', async () => {
    await times(5, () => commentedEntry.submit({}, { address: '2001:db8::7' }));
    expect((await commentedEntry.submit({}, { address: '2001:0DB8:0::0:7' })).status).toBe(429);
  });

  it('counts all IPv6 addresses of one /64 network together', async () => {
    let host = 0;
    const responses = await times(7, () =>
      commentedEntry.submit({}, { address: `2001:db8:1:2::${(host += 1)}` }),
    );
    expect(statuses(responses)).toEqual([201, 201, 201, 201, 201, 429, 429]);
    expect((await commentedEntry.submit({}, { address: '2001:db8:1:2:ffff::1' })).status).toBe(429);
    expect((await commentedEntry.submit({}, { address: '2001:db8:1:3::1' })).status).toBe(201);
  });

  it('applies to authenticated users and across all entries of the site', async () => {
    const client = await site.as('subscriber');
    await times(5, () => commentedEntry.submit({}, { address: '192.0.2.3', client }));
    const other = await createCommentedEntry(site);
    expect(statusAndCode(await other.submit({}, { address: '192.0.2.3' }))).toEqual([429, 'RATE_LIMITED']);
  });

  it('does not count invalid comments or spam', async () => {
    const address = '192.0.2.4';
    await times(6, () => commentedEntry.submit({ body: '' }, { address }));
    await times(6, () => commentedEntry.submit({ website_url: 'x' }, { address }));
    expect((await commentedEntry.submit({}, { address })).status).toBe(201);
  });

  it('counts by connection without an address from a trusted proxy, ignoring other headers', async () => {
    const headers = () => ({
      'x-real-ip': undefined,
      'x-cms-client-address': `192.0.2.${Math.floor(Math.random() * 250)}`,
      'x-client-ip': '192.0.2.9',
    });
    const responses = await times(25, () =>
      site.anonymous().post(commentedEntry.path, guestComment, { headers: headers() }),
    );
    expect(statuses(responses).filter((status) => status === 201)).toHaveLength(5);
    expect(statuses(responses).filter((status) => status === 429)).toHaveLength(20);
    expect((await commentedEntry.submit()).status).toBe(201);
  });

  it('uses the last address of X-Forwarded-For, and X-Real-IP before it (decision 54)', async () => {
    const send = (headers: Record<string, string>) =>
      site.anonymous().post(commentedEntry.path, guestComment, { headers });
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

  it('does not limit GET requests', async () => {
    const responses = await times(30, () => site.anonymous().get(commentedEntry.path));
    expect(new Set(statuses(responses))).toEqual(new Set([200]));
  });
});
