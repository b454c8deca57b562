import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a program that answers `ready` over IPC.
 * @param {{ root: string, program: string, message: object, closers: (() => Promise<void>)[], preload?: string }}
 *   options `preload`: a module that every process of it loads first
 */
export async function start({ root, program, message, closers, preload }) {
  const child = fork(join(root, program), {
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
  const [answer] = await once(child, 'message');
  if (answer.type !== 'ready') throw new Error(answer.message);
  return { ...answer, pid: child.pid };
}

/** Starts a Quire in an arrangement, with a site that has an Admin. @returns where and as whom to call it */
export async function openSystem({
  root,
  arrangement,
  databaseUrl,
  redisUrl,
  closers,
  preload,
  settings,
  meilisearch,
}) {
  const message = { arrangement, databaseUrl, redisUrl, logLevel: 'warn', settings, meilisearch };
  const { system, pid } = await start({
    root,
    program: 'tests/system/system.mjs',
    message,
    closers,
    preload,
  });
  const ask = async (path, body) =>
    (await fetch(system.control + path, { method: 'POST', body: JSON.stringify(body) })).json();
  const { tenant, host } = await ask('/tenants', {});
  const { token } = await ask('/tokens', {
    tenant,
    role: 'admin',
    email: 'bench@example.com',
    scopes: ['admin'],
  });
  const headers = { authorization: `Bearer ${token}`, host };
  const openSession = async (email) => (await ask('/sessions', { tenant, role: 'editor', email })).session;
  return { origin: system.origin, headers, pid, databaseUrl, tenant, host, openSession };
}
