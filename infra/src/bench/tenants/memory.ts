import { readFileSync } from 'node:fs';
import { processFamily } from '../processes.js';

/**
 * Memory of processes and their descendants in MiB. Each has its part of the pages that several share, such as the
 * buffers of PostgreSQL.
 */
export function memoryMiB(roots: readonly number[]): number {
  return processFamily(roots).reduce((sum, pid) => sum + proportionalMiB(pid), 0);
}

function proportionalMiB(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    // It has exited.
    return 0;
  }
}
