import { expect, it } from '@jest/globals';
import type { Site } from '@quire/testing';
import { Pool } from 'undici';
import { openLoadBalancer } from './load-balancer.js';
import { useTestEnvironment, waitUntil, type RunningProcess } from './support.js';

const drainSeconds = 3;
const testEnvironment = useTestEnvironment({
  arrangement: 'two-servers',
  settings: { CMS_DRAIN_SECONDS: String(drainSeconds) },
});
const clients = 6;
const minRequests = 200;

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
  const pool = new Pool(balancer.origin, { connections: clients });
  const headers = {
    host: site.host,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const path = `/_cms/api/content/posts`;
  const outcomes = new Map<string, number>();
  let isEnding = false;
  const send = async (turn: number) => {
    const method = (['GET', 'POST', 'GET'] as const)[turn % 3] ?? 'GET';
    const body = method === 'POST' ? JSON.stringify({ data: { title: `Entry ${turn}` } }) : null;
    const target = method === 'POST' ? path : turn % 2 === 0 ? path : `${path}/${id}`;
    try {
      const response = await pool.request({ method, path: target, headers, body });
      await response.body.dump();
      return String(response.statusCode);
    } catch (error) {
      return String(error);
    }
  };
  const load = async (client: number) => {
    for (let turn = client; !isEnding; turn += 1) {
      const outcome = await send(turn);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const total = () => [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const loads = Array.from({ length: clients }, (_, client) => load(client));
  try {
    for (const server of servers) {
      const before = total();
      await waitUntil('requests are served', async () => total() > before + minRequests, 60_000);
      process.kill(server.pid, 'SIGTERM');
      await waitUntil('the process has stopped', async () => !(await isRunning(server)), 60_000);
      await testEnvironment.control('/targets/start', server);
      const metrics = async () => (await fetch(`http://127.0.0.1:${server.opsPort}/metrics`)).text();
      const isServing = async () => (await metrics()).includes('quire_http_requests_total{');
      await waitUntil('HAProxy has found the new process', isServing, 60_000);
    }
  } finally {
    isEnding = true;
    await Promise.all(loads);
    await pool.close();
    await balancer.close();
  }
  expect([...outcomes.keys()].sort()).toEqual(['200', '201']);
});
