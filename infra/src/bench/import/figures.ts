import { withCpuTimes, type CpuTimes } from '../cpu.js';
import type { Site } from '../systems.js';
import { MemoryWatch } from './memory.js';

/** What a part of an import takes. */
interface Figures {
  seconds: number;
  cpu: CpuTimes;
  /** The largest growth of a process. */
  memoryMiB: number;
}

/** A line of a table. */
export const row = (name: string, cells: readonly (string | number)[]) =>
  `  ${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(16)).join('')}`;

/** CPU milliseconds of API, workers and PostgreSQL for one of a number of posts or files, and the memory. */
export const costCells = ({ cpu, memoryMiB }: Figures, count: number) => [
  ...[cpu.api, cpu.worker, cpu.database].map((seconds) => ((1000 * seconds) / count).toFixed(3)),
  Math.round(memoryMiB),
];

/** The headings of `costCells`. */
export const costColumns = ['API ms', 'worker ms', 'DB ms', 'MiB above idle'] as const;

/** Measures work of a system. */
export async function measure(
  { processes }: Site,
  postmaster: number,
  work: () => Promise<void>,
): Promise<Figures> {
  const memory = new MemoryWatch(processes);
  const start = performance.now();
  const [, cpu] = await withCpuTimes(processes, postmaster, work);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, cpu, memoryMiB: memory.stop() };
}
