import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@quire/testing';
import { waitUntil } from './support.js';

/** Where Debian installs it, which PATH of users other than root may lack. */
const program = '/usr/sbin/haproxy';

export interface LoadBalancer {
  origin: string;
  close: () => Promise<void>;
}

const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Starts a real HAProxy in front of processes, also of those that start later. It checks them at `/readyz` of their
 * operations ports.
 */
export async function openLoadBalancer(
  processes: readonly { port: number; opsPort: number }[],
): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-haproxy-'));
  const port = await freePort();
  const servers = processes.map(
    (each, index) =>
      `  server api${index} 127.0.0.1:${each.port} check port ${each.opsPort} inter 200ms fall 1 rise 1`,
  );
  const file = join(folder, 'haproxy.cfg');
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    // Without it a response after 200 ms, on a busy machine, counts as none.
    '  timeout check 5s',
    'frontend public',
    `  bind 127.0.0.1:${port}`,
    '  default_backend api',
    'backend api',
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    // A request is never sent twice: a lost one is a failure of the drain.
    '  retries 0',
    ...servers,
    '',
  ];
  await writeFile(file, lines.join('\n'));
  const child = spawn(program, ['-f', file], { stdio: 'ignore' });
  await waitUntil('HAProxy listens', () => accepts(port));
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
