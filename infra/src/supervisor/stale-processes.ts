import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  waitForExit,
  identifyProcess,
  isAlive,
  signal,
  type Identity,
} from '../../prepare/process-identity.mjs';
import { toUserFacingError } from '../../prepare/user-facing-error.mjs';

/** The processes of a supervisor. */
interface ProcessRecord {
  supervisor: Identity | undefined;
  ports: number[];
  children: Identity[];
}

export interface LivingSupervisor {
  pid: number;
  ports: number[];
}

const readRecord = (file: string): Partial<ProcessRecord> | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Ends the processes of supervisors that were killed. They stop by themselves when their supervisor exits; one that
 * hangs would keep its port.
 * @param stopTimeoutMs time after which a process counts as hanging
 * @returns the living supervisors of this data dir
 */
export async function killStaleProcesses(
  dataDir: string,
  stopTimeoutMs: number,
): Promise<LivingSupervisor[]> {
  const folder = join(dataDir, 'run');
  const living: LivingSupervisor[] = [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      const record = readRecord(join(folder, name));
      if (record?.supervisor && isAlive(record.supervisor)) {
        living.push({ pid: record.supervisor.pid, ports: record.ports ?? [] });
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

export interface ProcessRecorder {
  add(child: Identity): void;
  remove(): void;
}

/** Records the processes of this supervisor, for the next start after a kill of this one. */
export function recordProcesses(dataDir: string, ports: number[]): ProcessRecorder {
  const file = join(dataDir, 'run', `${process.pid}.json`);
  const record: ProcessRecord = { supervisor: identifyProcess(process.pid), ports, children: [] };
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
