import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { request } from 'undici';
import { ConfigTestEnvironment } from '../support/config-test-environment.js';

let testEnvironment: ConfigTestEnvironment;
let defaultOrigin: string;
let given: string;
let token: string;
const publicHost = 'cms.example';

beforeAll(async () => {
  // It makes a second site beside `default`.
  testEnvironment = await ConfigTestEnvironment.open();
  defaultOrigin = await testEnvironment.start({ environment: { PORT: 4400 } });
  given = await testEnvironment.start({ environment: { CMS_PUBLIC_URL: `https://${publicHost}` } });
  token = await testEnvironment.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
}, 60_000);
afterAll(() => testEnvironment.close());

/** Asks as a client that knows nothing of the site. @returns status and error code */
async function ask(origin: string, host: string, ofTenant = token): Promise<[status: number, code: string]> {
  const headers = { host, authorization: `Bearer ${ofTenant}` };
  const answer = await request(`${origin}/_cms/api/auth/me`, { headers });
  const { error } = (await answer.body.json()) as { error?: { code: string } };
  return [answer.statusCode, error?.code ?? ''];
}

describe('the hosts of the site `default` beside another site (decision 29)', () => {
  it.each(['localhost:4400', '127.0.0.1:4400', '[::1]:4400', 'LOCALHOST:4400'])(
    '%s is one while nobody said where the installation is reached',
    async (host) => {
      expect(await ask(defaultOrigin, host)).toEqual([200, '']);
    },
  );

  it('are that of CMS_PUBLIC_URL where it is set, and no others then', async () => {
    expect(await ask(given, publicHost)).toEqual([200, '']);
    expect(await ask(given, 'localhost:4400')).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['unknown.example', 'localhost:4401', '127.0.0.1'])('%s is none: 404', async (host) => {
    expect(await ask(defaultOrigin, host)).toEqual([404, 'NOT_FOUND']);
  });

  it('end where another site is given one, which then answers there', async () => {
    await testEnvironment.adminService.createTenant({ id: 'taker', database: null }, [publicHost]);
    const takers = await testEnvironment.adminService.createToken({
      tenant: 'taker',
      role: 'admin',
      scopes: [],
    });
    expect(await eventually(async () => (await ask(given, publicHost, takers))[0] === 200)).toBe(true);
    expect(await ask(given, publicHost)).toEqual([401, 'INVALID_TOKEN']);
    await testEnvironment.adminService.deleteTenant('taker');
    expect(await eventually(async () => (await ask(given, publicHost))[0] === 200)).toBe(true);
  });
});
