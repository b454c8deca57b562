import { expect, it } from '@jest/globals';
import type { Site } from '@quire/testing';
import { ClientLoad } from './client-load.js';
import { openLoadBalancer } from './load-balancer.js';
import { useTestEnvironment, waitUntil, type RunningProcess } from './support.js';

const drainSeconds = 3;
const testEnvironment = useTestEnvironment({
  arrangement: 'two-servers',
  settings: { CMS_DRAIN_SECONDS: String(drainSeconds) },
});

async function openCollection(): Promise<{ site: Site; id: string; token: string }> {
  const site = await testEnvironment.openSite();
  const admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
  const { id } = (await admin.post('/content/posts', { data: { title: 'First' } })).data.item;
  return { site, id, token: String(admin.token) };
}

const isRunning = async ({ pid }: RunningProcess) =>
  (await testEnvironment.installation()).processes.some((each) => each.pid === pid);

it('loses no request while the processes behind a load balancer are restarted, one after the other', async () => {
  const { site, id, token } = await openCollection();
  const { processes } = await testEnvironment.installation();
  const servers = processes.filter(({ targets }) => targets.includes('gateway'));
  const balancer = await openLoadBalancer(servers);
  const load = new ClientLoad({
    origin: balancer.origin,
    host: site.host,
    token,
    collection: 'posts',
    id,
  });
  try {
    for (const server of servers) {
      await load.serveMore();
      process.kill(server.pid, 'SIGTERM');
      await waitUntil('the process has stopped', async () => !(await isRunning(server)), 60_000);
      await testEnvironment.control('/targets/start', server);
      const metrics = async () => (await fetch(`http://127.0.0.1:${server.opsPort}/metrics`)).text();
      const isServing = async () => (await metrics()).includes('quire_http_requests_total{');
      await waitUntil('HAProxy has found the new process', isServing, 60_000);
    }
  } finally {
    await load.stop();
    await balancer.close();
  }
  expect([...load.outcomes.keys()].sort()).toEqual(['200', '201']);
});
