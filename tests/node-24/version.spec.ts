import { expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { request } from 'undici';

const site = useSite();

it('runs the services and the tests on the Node.js of the image', async () => {
  expect(process.version).toMatch(/^v24\./);
  const metrics = await (await request(`${site.system.opsOrigin}/metrics`)).body.text();
  expect(metrics).toContain(`nodejs_version_info{version="${process.version}"`);
});
