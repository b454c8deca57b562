import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForExit, identifyProcess, isAlive, signal } from '../process/process-identity.mjs';
import { toUserFacingError } from '../process/user-facing-error.mjs';

const stopTimeoutMs = 15_000;

const readRecord = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Ends the processes of supervisors that were killed (they stop by themselves when their supervisor goes; one that
 * hangs would keep its port), and tells which supervisors live.
 * @param {string} dataDir
 * @returns {Promise<{ pid: number, ports: number[] }[]>} the living supervisors of this data dir
 */
export async function killStaleProcesses(dataDir) {
  const folder = join(dataDir, 'run');
  const living = [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      const record = readRecord(join(folder, name));
      if (isAlive(record?.supervisor)) {
        living.push({ pid: record.supervisor.pid, ports: record.ports });
        continue;
      }
      const children = (record?.children ?? []).filter((child) => isAlive(child));
      for (const child of children) signal(child.pid, 'SIGTERM');
      for (const child of children) {
        if (!(await waitForExit(child, stopTimeoutMs))) signal(child.pid, 'SIGKILL', { group: true });
        await waitForExit(child, 5_000);
      }
      rmSync(join(folder, name), { force: true });
    }
  } catch (error) {
    throw toUserFacingError(error, folder);
  }
  return living;
}

/**
 * Notes which processes this supervisor started, for the next start should this one be killed.
 * @param {string} dataDir
 * @param {number[]} ports
 */
export function recordProcesses(dataDir, ports) {
  const file = join(dataDir, 'run', `${process.pid}.json`);
  const record = { supervisor: identifyProcess(process.pid), ports, children: [] };
  const write = () => {
    writeFileSync(`${file}.new`, JSON.stringify(record));
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    add(child) {
      record.children = [...record.children.filter((each) => isAlive(each)), child];
      write();
    },
    remove: () => rmSync(file, { force: true }),
  };
}
