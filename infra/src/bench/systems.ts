import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../command.js';
import type { MeilisearchAccess } from '../stores/meilisearch.js';

export type Closers = (() => Promise<void>)[];

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
  pid: number;
  databaseUrl: string;
  tenant: string;
  /** Of its tables. */
  schema: string;
  host: string;
  /** Where the installation stores the media of its sites, each in a folder of its own. */
  mediaFolder: string;
  /** Adds another site to the same installation. */
  createSite(): Promise<Site>;
  /** Signs an Editor in. @returns the session's cookie value */
  openSession(email: string): Promise<string>;
  /** Creates a user with a token. @returns the token */
  createToken(user: { role: string; email: string; scopes: string[] }): Promise<string>;
}

interface SystemOptions {
  arrangement: 'single' | 'distributed';
  databaseUrl: string;
  redisUrl: string;
  closers: Closers;
  preload?: string;
  settings?: Record<string, string>;
  meilisearch?: MeilisearchAccess | undefined;
}

/** Starts a Quire in an arrangement, with a site that has an Admin. */
export async function openSystem({ closers, preload, ...options }: SystemOptions): Promise<Site> {
  const { system, pid } = await start<{ type: 'ready'; system: { origin: string; control: string } }>({
    script: join(root, 'tests/system/system.mjs'),
    message: { ...options, logLevel: 'warn' },
    closers,
    preload,
  });
  const control: Control = async (path, body) => {
    const response = await fetch(system.control + path, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} of the system: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { dataDir = '' } = await control('/installation', {});
  const { origin } = system;
  const { databaseUrl } = options;
  return createSite({ origin, pid, databaseUrl, mediaFolder: join(dataDir, 'media') }, control);
}

type Control = (path: string, body: object) => Promise<Record<string, string>>;

/** Creates a site with an Admin. Its host leads to this computer. */
async function createSite(
  installation: Pick<Site, 'origin' | 'pid' | 'databaseUrl' | 'mediaFolder'>,
  control: Control,
): Promise<Site> {
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
    createSite: () => createSite(installation, control),
  };
}
