import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { request } from 'undici';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
let defaultOrigin: string;
let publicOrigin: string;
let token: string;
const publicHost = 'cms.example';

beforeAll(async () => {
  // The environment creates a second site beside `default`.
  defaultOrigin = await testEnvironment.start({ environment: { PORT: 4400 } });
  publicOrigin = await testEnvironment.start({ environment: { CMS_PUBLIC_URL: `https://${publicHost}` } });
  token = await testEnvironment.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
});

/** Gets the caller at a host. @returns status and error code */
async function getMe(origin: string, host: string, bearer = token): Promise<[status: number, code: string]> {
  const headers = { host, authorization: `Bearer ${bearer}` };
  const response = await request(`${origin}/_cms/api/auth/me`, { headers });
  const { error } = (await response.body.json()) as { error?: { code: string } };
  return [response.statusCode, error?.code ?? ''];
}

describe('hosts of the site `default` beside another site (decision 29)', () => {
  it.each(['localhost:4400', '127.0.0.1:4400', '[::1]:4400', 'LOCALHOST:4400'])(
    '%s is one without CMS_PUBLIC_URL',
    async (host) => {
      expect(await getMe(defaultOrigin, host)).toEqual([200, '']);
    },
  );

  it('are only that of CMS_PUBLIC_URL when it is set', async () => {
    expect(await getMe(publicOrigin, publicHost)).toEqual([200, '']);
    expect(await getMe(publicOrigin, 'localhost:4400')).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['unknown.example', 'localhost:4401', '127.0.0.1'])('%s is none: 404', async (host) => {
    expect(await getMe(defaultOrigin, host)).toEqual([404, 'NOT_FOUND']);
  });

  it('do not include a host while another site has it', async () => {
    await testEnvironment.adminService.tenants.create({ id: 'other', database: null }, [publicHost]);
    const otherToken = await testEnvironment.adminService.createToken({
      tenant: 'other',
      role: 'admin',
      scopes: [],
    });
    expect(await eventually(async () => (await getMe(publicOrigin, publicHost, otherToken))[0] === 200)).toBe(
      true,
    );
    expect(await getMe(publicOrigin, publicHost)).toEqual([401, 'INVALID_TOKEN']);
    await testEnvironment.adminService.deletions.purge('other');
    expect(await eventually(async () => (await getMe(publicOrigin, publicHost))[0] === 200)).toBe(true);
  });
});
