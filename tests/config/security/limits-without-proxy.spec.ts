import { beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
let origin: string;

beforeAll(async () => {
  origin = await testEnvironment.start();
});

const statusesOf = async (
  count: number,
  { host }: { host: string },
  path: string,
  body: (number: number) => object | undefined,
) => {
  const statuses: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const headers = { 'x-real-ip': `203.0.113.${number}`, 'x-forwarded-for': `203.0.113.${number}` };
    const response = await createClient({ origin }, { host }).post(path, body(number), { headers });
    statuses.push(response.status);
  }
  return statuses;
};
const redirect_uris = ['https://app.example/callback'];

describe('rate limits without a configured proxy header (decision 55)', () => {
  it.each<[path: string, limit: number, success: number, body: (number: number) => object | undefined]>([
    ['/auth/passkey/options', 10, 200, () => undefined],
    ['/oauth/device/code', 10, 200, () => ({})],
    ['/oauth/register', 10, 201, () => ({ redirect_uris })],
    ['/oauth/device/token', 12, 400, () => ({ device_code: 'unknown', grant_type: 'x', client_id: 'x' })],
  ])('POST %s counts by the connection: %i a minute, then 429', async (path, limit, success, body) => {
    const site = await testEnvironment.newSite();
    const statuses = await statusesOf(limit + 2, site, path, body);
    expect(statuses).toEqual([...Array.from({ length: limit }, () => success), 429, 429]);
  });

  it('are separate per site', async () => {
    const [one, another] = [await testEnvironment.newSite(), await testEnvironment.newSite()];
    await statusesOf(11, one, '/auth/passkey/options', () => undefined);
    expect(await statusesOf(1, another, '/auth/passkey/options', () => undefined)).toEqual([200]);
  });
});
