import { expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { request } from 'undici';

const site = useSite();

it('runs separate processes on the Node.js of the image, and one process on the installed one', async () => {
  const { opsOrigin, arrangement } = site.system;
  const metrics = await (await request(`${opsOrigin}/metrics`)).body.text();
  const version = /nodejs_version_info\{version="(v[\d.]+)"/.exec(metrics)?.[1];
  expect(version).toMatch(arrangement === 'distributed' ? /^v24\./ : process.version);
});
