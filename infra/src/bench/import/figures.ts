import { cpuSeconds, cpuUse } from '../processes.js';
import type { Site } from '../systems.js';
import { MemoryWatch } from './memory.js';

/** What a part of an import takes. */
interface Figures {
  seconds: number;
  /** Of the processes of the system. */
  cpuSeconds: number;
  databaseSeconds: number;
  /** The largest growth of a process. */
  memoryMiB: number;
}

/** A line of a table. */
export const row = (name: string, cells: readonly (string | number)[]) =>
  `  ${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(16)).join('')}`;

/** CPU milliseconds of the system and of PostgreSQL for one of a number of posts or files, and the memory. */
export const costCells = ({ cpuSeconds: cpu, databaseSeconds, memoryMiB }: Figures, count: number) => [
  ((1000 * cpu) / count).toFixed(3),
  ((1000 * databaseSeconds) / count).toFixed(3),
  Math.round(memoryMiB),
];

/** The headings of `costCells`. */
export const costColumns = ['CPU ms', 'DB CPU ms', 'MiB above idle'] as const;

/** Measures work of a system. */
export async function measure(site: Site, postmaster: number, work: () => Promise<void>): Promise<Figures> {
  const memory = new MemoryWatch(site.pid);
  const before = [cpuUse(site.pid), cpuUse(postmaster)] as const;
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const after = [cpuUse(site.pid), cpuUse(postmaster)] as const;
  return {
    seconds,
    cpuSeconds: cpuSeconds(before[0], after[0]),
    databaseSeconds: cpuSeconds(before[1], after[1]),
    memoryMiB: memory.stop(),
  };
}
