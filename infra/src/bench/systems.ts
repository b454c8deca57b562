import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { workerTargets } from '@quire/topology';
import { request } from 'undici';
import { root } from '../command.js';
import type { MeilisearchAccess } from '../stores/meilisearch.js';
import type { SystemProcesses } from './cpu.js';
import { readJson } from './responses.js';

export type Closers = (() => Promise<void>)[];

/** What a run has to stop: the systems first, all at once. */
export interface RunClosers {
  systems: Closers;
  stores: Closers;
}

/** Starts a script that sends `ready` over IPC. @param preload a module that all its processes load first */
export async function start<Ready extends { type: 'ready' }>({
  script,
  message,
  closers,
  preload,
}: {
  script: string;
  message: object;
  closers: Closers;
  preload?: string | undefined;
}): Promise<Ready & { pid: number }> {
  const child = fork(script, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      CMS_LOG_LEVEL: 'warn',
      ...(preload && { NODE_OPTIONS: `--import=${preload}` }),
    },
  });
  closers.push(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });
  child.send(message);
  const received = await new Promise<Ready | { type: 'failed'; message: string }>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${script} exited with code ${code} before it was ready`)));
  });
  if (received.type === 'failed') throw new Error(received.message);
  return { ...received, pid: child.pid ?? 0 };
}

/** A site of a system, with the headers of an Admin. */
export interface Site {
  origin: string;
  headers: Record<string, string>;
  processes: SystemProcesses;
  databaseUrl: string;
  tenant: string;
  /** Of its tables. */
  schema: string;
  host: string;
  /** Where the installation stores the media of its sites, each in a folder of its own. */
  mediaFolder: string;
  /** Operator tasks of its installation. */
  control: Control;
  /** Adds another site to the same installation. */
  createSite(): Promise<Site>;
  /** Signs an Editor in. @returns the session's cookie value */
  openSession(email: string): Promise<string>;
  /** Creates a user with a token. @returns the token */
  createToken(user: { role: string; email: string; scopes: string[] }): Promise<string>;
}

interface SystemOptions {
  arrangement: 'single' | 'distributed' | 'two-workers';
  databaseUrl: string;
  redisUrl: string;
  /** Whether the queues are on Redis; default: those of `distributed`. */
  onRedis?: boolean;
  closers: Closers;
  preload?: string;
  settings?: Record<string, string>;
  meilisearch?: MeilisearchAccess | undefined;
}

/** A started target, or several in one process. */
export interface RunningProcess {
  targets: string[];
  pid: number;
  port: number;
}

/** Starts a Quire in an arrangement, with a site that has an Admin. */
export async function openSystem({ closers, preload, ...options }: SystemOptions): Promise<Site> {
  const { system } = await start<{ type: 'ready'; system: { origin: string; control: string } }>({
    script: join(root, 'tests/system/system.mjs'),
    message: { ...options, logLevel: 'warn' },
    closers,
    preload,
  });
  const control = controlOf(system.control);
  const { processes, dataDir } = await control<{ processes: RunningProcess[]; dataDir: string }>(
    '/installation',
  );
  const { origin } = system;
  const { databaseUrl } = options;
  const installation = { origin, databaseUrl, mediaFolder: join(dataDir, 'media'), control };
  return createSite({ ...installation, processes: byKind(processes) });
}

export const isWorker = ({ targets }: RunningProcess) =>
  workerTargets.some((worker) => targets.includes(worker));

/** Gateway and services are the API. */
export const byKind = (processes: readonly RunningProcess[]): SystemProcesses => ({
  api: processes.filter((running) => !isWorker(running)).map(({ pid }) => pid),
  worker: processes.filter(isWorker).map(({ pid }) => pid),
});

export type Control = <Result = Record<string, string>>(path: string, body?: object) => Promise<Result>;

/** The operator tasks of a system. A failed one throws an Error with its status and text. */
export function controlOf(address: string): Control {
  return async (path, body = {}) =>
    readJson(
      `control ${path}`,
      await request(address + path, { method: 'POST', body: JSON.stringify(body) }),
    );
}

/** Creates a site with an Admin. Its host leads to this computer. */
async function createSite(
  installation: Pick<Site, 'origin' | 'processes' | 'databaseUrl' | 'mediaFolder' | 'control'>,
): Promise<Site> {
  const { control } = installation;
  const { tenant = '', host = '', schema = '' } = await control('/tenants', { domain: 'localhost' });
  const createToken: Site['createToken'] = async (user) => {
    const { token = '' } = await control('/tokens', { tenant, ...user });
    return token;
  };
  const token = await createToken({ role: 'admin', email: 'bench@example.com', scopes: ['admin'] });
  const openSession = async (email: string) => {
    const { session = '' } = await control('/sessions', { tenant, role: 'editor', email });
    return session;
  };
  const headers = { authorization: `Bearer ${token}`, host };
  return {
    ...installation,
    headers,
    tenant,
    schema,
    host,
    openSession,
    createToken,
    createSite: () => createSite(installation),
  };
}
