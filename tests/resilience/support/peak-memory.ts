import { readFile, writeFile } from 'node:fs/promises';

/** Peak memory of a process since the last call, in MiB. */
export async function peakMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  // Resets the peak.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
