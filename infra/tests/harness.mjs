/** What the tests of this folder share: folders that vanish, programs that are watched, processes that must be gone. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../dist/process/free-port.js';
import { waitForExit, identifyProcess, sleep } from '../prepare/process-identity.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
export const fakeStart = join(here, 'fakes', 'start.mjs');
export const fakeCms = join(here, 'fakes', 'cms.mjs');
export const databaseHolder = join(here, 'fakes', 'hold-database.mjs');

/** A data dir that is removed after the test, with the database in it stopped. */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'quire-infra-'));
  // for root, PostgreSQL's own user must be able to pass through
  chmodSync(folder, 0o711);
  t.after(async () => {
    const pid = postmasterPid(folder);
    const server = pid && identifyProcess(pid);
    if (server) {
      process.kill(pid, 'SIGQUIT');
      await waitForExit(server, 10_000);
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The pid in postmaster.pid, or undefined. */
export function postmasterPid(dataDir) {
  try {
    return Number(
      readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
  } catch {
    return undefined;
  }
}

/** Whether the database at this address speaks PostgreSQL: it answers a startup message by asking for a password. */
export function asksForPassword(url) {
  const { port, username, pathname } = new URL(url);
  const text = Buffer.from(`user\0${username}\0database\0${pathname.slice(1)}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + text.length, 0);
  head.writeInt32BE(196_608, 4);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' }, () =>
      socket.write(Buffer.concat([head, text])),
    );
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString('latin1', 0, 1) === 'R');
    });
    socket.once('error', () => resolve(false));
  });
}

/** Polls until `condition` is truthy. */
export async function until(condition, what, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > end) throw new Error(`Timed out after ${milliseconds} ms: ${what}`);
    await sleep(20);
  }
}

/** Starts a script of ours and collects what it prints. */
export function launch(t, script, args = [], { env = {}, command = process.execPath, before = [] } = {}) {
  const { DATABASE_URL, PORT, npm_lifecycle_event, NODE_TEST_CONTEXT, ...inherited } = process.env;
  const child = spawn(command, [...before, script, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const program = { child, stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (program.stdout += data));
  child.stderr.on('data', (data) => (program.stderr += data));
  program.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  program.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  program.prints = (pattern) =>
    until(
      () => pattern.test(program.stdout) || child.exitCode !== null,
      `${pattern} in: ${program.stdout}${program.stderr}`,
    );
  t.after(() => child.kill('SIGKILL'));
  return program;
}

/** A port pair that is free now, for the API process and the worker process. */
export async function portPair() {
  return { PORT: String(await freePort()), CMS_WORKER_PORT: String(await freePort()) };
}
