/**
 * Measures authentication: the same read by token and by session, beside a Quire without the check; and logins with a
 * passkey.
 */
import { performance } from 'node:perf_hooks';
import { SoftwareAuthenticator } from '@quire/testing';
import { request } from 'undici';
import type { BenchContext } from './context.js';
import { percentilesOf, type Load, type Operations, type Runnable } from './load.js';
import { requestsOf } from './operations.js';
import { readJson } from './responses.js';
import type { FilledSite } from './site.js';
import type { Site } from './systems.js';

type CreationOptions = { options: Parameters<SoftwareAuthenticator['register']>[0] };
type LoginOptions = { options: Parameters<SoftwareAuthenticator['logIn']>[0] };

const userCount = 16;
const preload = new URL('./baselines/authentication.js', import.meta.url).href;

/** Sends JSON to the site. @returns the data of the response @throws Error on any status but 2xx */
async function post<Data = unknown>(
  { origin, host }: Site,
  path: string,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> },
): Promise<Data> {
  const response = await request(`${origin}/_cms/api${path}`, {
    method: 'POST',
    headers: { host, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await readJson<{ data: Data }>(`POST ${path}`, response)).data;
}

/** The header of another client address for each request, so that no rate limit applies. */
let requestCount = 0;
function nextAddress(): { 'x-real-ip': string } {
  requestCount += 1;
  return {
    'x-real-ip': `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`,
  };
}

/** The page of a ceremony: one of the site. */
const ceremonyOf = ({ host }: Site) => ({ origin: `http://${host}` });

/** Creates users with a passkey each. */
async function createUsers(site: Site): Promise<SoftwareAuthenticator[]> {
  return Promise.all(
    Array.from({ length: userCount }, async (_, number) => {
      const session = await site.openSession(`person${number}@example.com`);
      const headers = { cookie: `cms_session=${session}`, 'x-cms-request': '1' };
      const authenticator = new SoftwareAuthenticator();
      const path = '/auth/passkey/register';
      const { options } = await post<CreationOptions>(site, `${path}/options`, { headers });
      const credential = authenticator.register(options, ceremonyOf(site));
      await post(site, `${path}/verify`, { headers, body: { credential } });
      return authenticator;
    }),
  );
}

async function logIn(site: Site, authenticator: SoftwareAuthenticator): Promise<void> {
  const path = '/auth/passkey';
  const { options } = await post<LoginOptions>(site, `${path}/options`, { headers: nextAddress() });
  const credential = authenticator.logIn(options, ceremonyOf(site));
  await post(site, `${path}/verify`, { headers: nextAddress(), body: { credential } });
}

/** All users log in repeatedly for some seconds, at least once. A login counts as one request. */
async function loadLogins(
  site: Site,
  authenticators: readonly SoftwareAuthenticator[],
  seconds: number,
): Promise<Load> {
  const times: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await Promise.all(
    authenticators.map(async (authenticator) => {
      do {
        const startedAt = performance.now();
        await logIn(site, authenticator);
        times.push(performance.now() - startedAt);
      } while (performance.now() < end);
    }),
  );
  const rate = (times.length * 1000) / (performance.now() - begin);
  return { rate, ...percentilesOf(times), count: times.length };
}

/** Opens the variants on the database and the entries of `single`. */
export async function openAuthentication({
  single: site,
  openBeside,
  load,
}: BenchContext): Promise<Operations> {
  const { host } = site;
  const off = await openBeside(preload);
  const authenticators = await createUsers(site);
  const session = await site.openSession('reader@example.com');
  const reading =
    ({ origin }: Site, headers: Record<string, string>): Runnable['run'] =>
    (seconds, connections) => {
      const content: FilledSite = { ...site, headers };
      const requests = requestsOf('get', 'single', content);
      return load({ label: 'get (authentication)', origin, ...requests, seconds, connections });
    };
  const variants: Record<string, Runnable> = {
    off: { processes: off.processes, run: reading(off, site.headers) },
    token: { processes: site.processes, run: reading(site, site.headers) },
    session: { processes: site.processes, run: reading(site, { host, cookie: `cms_session=${session}` }) },
    login: { processes: site.processes, run: (seconds) => loadLogins(site, authenticators, seconds) },
  };
  return { authentication: variants };
}
