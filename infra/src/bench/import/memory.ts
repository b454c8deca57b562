import { readFileSync } from 'node:fs';
import type { SystemProcesses } from '../cpu.js';
import { processFamily } from '../processes.js';

const everyMs = 100;

/** Resident memory of a process in MiB; undefined when it has exited. */
function residentMiB(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Watches the memory of the processes of a system. */
export class MemoryWatch {
  private readonly idle: ReadonlyMap<number, number>;
  private readonly peaks = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;

  constructor({ api, worker }: SystemProcesses) {
    const pids = processFamily([...api, ...worker]);
    this.idle = new Map(pids.map((pid) => [pid, residentMiB(pid) ?? 0]));
    this.timer = setInterval(() => {
      for (const pid of pids) this.peaks.set(pid, Math.max(this.peaks.get(pid) ?? 0, residentMiB(pid) ?? 0));
    }, everyMs);
  }

  /** Ends the watch. @returns how much the process with the largest growth had above its idle memory, in MiB */
  stop(): number {
    clearInterval(this.timer);
    return Math.max(0, ...[...this.peaks].map(([pid, peak]) => peak - (this.idle.get(pid) ?? 0)));
  }
}
