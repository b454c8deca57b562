import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, eventuallyPasses, statusAndCode, type ApiResponse, type Client } from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
const maxRequests = 8;
const maxOfSite = 6;
type TestSite = Awaited<ReturnType<typeof testEnvironment.newSite>>;
let origin: string;
let busy: TestSite;
let busyClient: Client;
let other: Client;
let third: TestSite;
const pending: ClientRequest[] = [];

beforeAll(async () => {
  origin = await testEnvironment.start({ environment: { CMS_MAX_REQUESTS: maxRequests } });
  busy = await testEnvironment.newSite();
  busyClient = await testEnvironment.client(origin, busy, 'admin');
  other = await testEnvironment.client(origin, await testEnvironment.newSite(), 'admin');
  third = await testEnvironment.newSite();
  const ofThird = await testEnvironment.client(origin, third, 'admin');
  // Clients read the OpenAPI document at their first response, and the process reads a site at its first request.
  for (const client of [busyClient, other, ofThird]) await client.get('/schema/collections');
});
afterEach(() => {
  for (const each of pending.splice(0)) each.destroy();
});

/** Sends a request whose body does not end, and waits until the process handles it. */
async function sendUnfinished({ host }: TestSite): Promise<void> {
  const { hostname, port } = new URL(origin);
  const sent = request({
    hostname,
    port,
    method: 'POST',
    path: '/_cms/api/comments/posts/x',
    headers: {
      host,
      'content-type': 'application/json',
      'content-length': 1_000,
      'x-cms-request': '1',
      expect: '100-continue',
    },
    agent: false,
  });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  pending.push(sent);
  await once(sent, 'continue');
}

const sendAll = (site: TestSite, count: number) =>
  Promise.all(Array.from({ length: count }, () => sendUnfinished(site)));

async function refusedResponse(client: Client): Promise<ApiResponse> {
  const refused = await eventually(
    () => client.get('/schema/collections'),
    ({ status }) => status !== 200,
  );
  expect(statusAndCode(refused)).toEqual([503, 'SERVICE_UNAVAILABLE']);
  return refused;
}

describe('requests at the same time (G6)', () => {
  it('of one site leave room for those of other sites, and get 503 with Retry-After beyond it', async () => {
    await sendAll(busy, maxOfSite);
    const refused = await refusedResponse(busyClient);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.error.message).toBe('The site has too many requests; retry later');
    expect((await other.get('/schema/collections')).status).toBe(200);
  });

  it('are served again when others have ended', async () => {
    await eventuallyPasses(
      () => busyClient.get('/schema/collections'),
      ({ status }) => expect(status).toBe(200),
    );
  });

  it('of all sites are no more than the process can take', async () => {
    await sendAll(busy, maxOfSite);
    await sendAll(third, maxRequests - maxOfSite);
    const refused = await refusedResponse(other);
    expect(refused.error.message).toBe('The installation has too many requests; retry later');
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });
});
