import { spawn } from 'node:child_process';
import { signal as send } from './process-identity.mjs';

const maxOutputCharacters = 400_000;
const killTimeoutMs = 5_000;

/**
 * Runs a command to its end in a process group of its own, so that Ctrl-C reaches it only through us and nothing of it
 * is left behind.
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {number} [options.uid]
 * @param {number} [options.gid]
 * @param {AbortSignal} [options.signal] ends the command and everything it started
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
    let kill;
    const collect = (text) => (output = (output + text).slice(-maxOutputCharacters));
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', (text) => {
      collect(text);
      errors = (errors + text).slice(-maxOutputCharacters);
    });
    const end = () => {
      send(child.pid, 'SIGTERM', { group: true });
      kill = setTimeout(() => send(child.pid, 'SIGKILL', { group: true }), killTimeoutMs);
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
