import { spawn } from 'node:child_process';
import { signal as send } from './process-identity.mjs';

const maxOutputCharacters = 400_000;
const killTimeoutMs = 5_000;

/**
 * Runs a command to its end in its own process group, so that Ctrl-C reaches it only through this process, and a stop
 * reaches all its children.
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {number | undefined} [options.uid]
 * @param {number | undefined} [options.gid]
 * @param {AbortSignal | undefined} [options.signal] ends the command and everything it started
 * @param {(pid: number) => void} [options.onSpawn]
 * @returns {Promise<{ code: number | null, output: string, errors: string }>} output holds both streams in order
 */
export function run(command, args, { cwd, env, uid, gid, signal, onSpawn = () => {} }) {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      uid,
      gid,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    /** @type {NodeJS.Timeout | undefined} */
    let kill;
    const collect = /** @param {string} text */ (text) =>
      (output = (output + text).slice(-maxOutputCharacters));
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', (text) => {
      collect(text);
      errors = (errors + text).slice(-maxOutputCharacters);
    });
    const end = () => {
      const { pid } = child;
      if (pid === undefined) return;
      send(pid, 'SIGTERM', { group: true });
      kill = setTimeout(() => send(pid, 'SIGKILL', { group: true }), killTimeoutMs);
    };
    const settle = () => {
      clearTimeout(kill);
      signal?.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code, output, errors });
    });
    if (child.pid === undefined) return;
    signal?.addEventListener('abort', end, { once: true });
    onSpawn(child.pid);
  });
}
