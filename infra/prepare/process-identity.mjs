import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process, distinct from a later one with the same number: its pid and its start time.
 * @typedef {{ pid: number, began: string }} Identity
 */

/** @param {string} path */
const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
const boot = process.platform === 'linux' ? (read('/proc/sys/kernel/random/boot_id') ?? '').trim() : '';

/**
 * The start time of a process, or undefined when it has exited (a zombie counts as exited).
 * @param {number} pid
 */
function startTimeOf(pid) {
  if (process.platform === 'linux') {
    const stat = read(`/proc/${pid}/stat`);
    if (stat === undefined) return undefined;
    // the command in parentheses may contain spaces: the fields after it do not
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${boot}:${fields[19]}`;
  }
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.split(/\s+/).slice(1).join(' ');
  } catch {
    return undefined;
  }
}

/**
 * @param {number} pid
 * @returns {Identity | undefined} undefined when no such process runs
 */
export function identifyProcess(pid) {
  const began = pid > 0 ? startTimeOf(pid) : undefined;
  return began === undefined ? undefined : { pid, began };
}

/** Whether exactly this process still runs. @param {Identity | undefined} identity */
export function isAlive(identity) {
  return identity !== undefined && identifyProcess(identity.pid)?.began === identity.began;
}

/** The command line of a process ('' when it cannot be read). @param {number} pid */
export function commandOf(pid) {
  if (process.platform === 'linux') return (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** The parent of a process, undefined when either has exited. @param {number} pid @returns {number | undefined} */
export function parentOf(pid) {
  if (process.platform === 'linux') {
    const stat = read(`/proc/${pid}/stat`);
    return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return undefined;
  }
}

/** @param {number} milliseconds */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits until a process has exited.
 * @param {Identity} identity
 * @param {number} milliseconds
 * @returns {Promise<boolean>} whether it has exited
 */
export async function waitForExit(identity, milliseconds) {
  const end = Date.now() + milliseconds;
  while (isAlive(identity)) {
    if (Date.now() > end) return false;
    await sleep(25);
  }
  // the event loop reaps a child of this process before the caller goes on, and perhaps exits
  await sleep(5);
  return true;
}

/**
 * Sends a signal to a process or to its group. Ignores a process that has exited.
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
export function signal(pid, name, { group = false } = {}) {
  try {
    process.kill(group ? -pid : pid, name);
  } catch (error) {
    if (errorCodeOf(error) !== 'ESRCH') throw error;
  }
}

/**
 * The code of a system error, such as `ENOENT`.
 * @param {unknown} error
 */
export const errorCodeOf = (error) => /** @type {NodeJS.ErrnoException | undefined} */ (error)?.code;
