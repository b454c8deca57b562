/**
 * What authentication costs: the same read by token and by session, beside a Quire that believes everybody; and how
 * many logins with a passkey go through meanwhile.
 */
import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import {
  addPasskey,
  ceremonyOptionsOf,
  ceremonyOf,
  SoftwareAuthenticator,
} from '../../libs/testing/dist/index.js';
import { requestsOf } from './operations.mjs';
import { openSystem } from './systems.mjs';

const people = 16;
const preload = new URL('./baseline-authentication.mjs', import.meta.url).href;
const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** Sends JSON to the site. @returns its answer as tests know answers */
async function post({ origin, host }, path, body, headers = {}) {
  const answer = await request(`${origin}/_cms/api${path}`, {
    method: 'POST',
    headers: { host, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body ?? {}),
  });
  const parsed = await answer.body.json();
  return { status: answer.statusCode, data: parsed.data, body: parsed };
}

/** Addresses that nobody limits: another for each request. */
let asked = 0;
function anotherAddress() {
  asked += 1;
  return { 'x-real-ip': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}` };
}

/** People of the site, each with a passkey. */
async function createPeople(site) {
  return Promise.all(
    Array.from({ length: people }, async (_, number) => {
      const session = await site.openSession(`person${number}@example.com`);
      const headers = { cookie: `cms_session=${session}`, 'x-cms-request': '1' };
      const client = { post: (path, body) => post(site, path, body, headers) };
      const authenticator = new SoftwareAuthenticator();
      const { status, body } = await addPasskey(site, client, authenticator);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return authenticator;
    }),
  );
}

async function logIn(site, authenticator) {
  const options = ceremonyOptionsOf(await post(site, '/auth/passkey/options', {}, anotherAddress()));
  const credential = authenticator.logIn(options, ceremonyOf(site));
  const { status, body } = await post(site, '/auth/passkey/verify', { credential }, anotherAddress());
  if (status !== 200) throw new Error(`login: ${status} ${JSON.stringify(body)}`);
}

/** Everybody logs in again and again for a while. @returns what `load` returns, a login counting as one request */
async function loadLogins(site, authenticators, seconds) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    authenticators.map(async (authenticator) => {
      while (performance.now() < end) {
        const startedAt = performance.now();
        await logIn(site, authenticator);
        times.push(performance.now() - startedAt);
      }
    }),
  );
  times.sort((left, right) => left - right);
  return {
    rate: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    count: times.length,
  };
}

/**
 * Opens the variants, on the database and the entries of `site`.
 * @returns by operation and variant: the process to watch, and what loads it for some seconds
 */
export async function openAuthentication({ single: site, redisUrl, root, closers, load }) {
  const { databaseUrl } = site;
  const arrangement = 'single';
  const off = await openSystem({ root, arrangement, databaseUrl, redisUrl, closers, preload });
  const authenticators = await createPeople(site);
  const session = await site.openSession('reader@example.com');
  const reading = (variant, headers) => (seconds, connections) =>
    load({
      label: 'get (authentication)',
      origin: variant.origin,
      ...requestsOf('get', 'single', { ids: site.ids, headers }),
      seconds,
      connections,
    });
  const { host } = site;
  const variants = {
    off: { pid: off.pid, run: reading(off, site.headers) },
    token: { pid: site.pid, run: reading(site, site.headers) },
    session: { pid: site.pid, run: reading(site, { host, cookie: `cms_session=${session}` }) },
    login: { pid: site.pid, run: (seconds) => loadLogins(site, authenticators, seconds) },
  };
  return { authentication: variants };
}
