import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Parent and CPU seconds of every process that can be read. */
function snapshot(): Map<number, { parent: number; seconds: number }> {
  const processes = new Map<number, { parent: number; seconds: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // the name in brackets may contain spaces; the fields after it do not
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
      processes.set(Number(name), { parent: Number(fields[1]), seconds });
    } catch {
      // it exited during the snapshot
    }
  }
  return processes;
}

/** Processes and their descendants. */
function family(processes: ReadonlyMap<number, { parent: number }>, roots: readonly number[]): number[] {
  const pids = [...roots];
  for (let index = 0; index < pids.length; index += 1) {
    for (const [pid, { parent }] of processes) if (parent === pids[index]) pids.push(pid);
  }
  return pids;
}

/** Processes and their descendants. */
export function processFamily(roots: readonly number[]): number[] {
  return family(snapshot(), roots);
}

/** CPU seconds that processes and their descendants have used so far, by process. */
export function cpuUse(roots: readonly number[]): ReadonlyMap<number, number> {
  const processes = snapshot();
  return new Map(family(processes, roots).map((pid) => [pid, processes.get(pid)?.seconds ?? 0]));
}

/** CPU seconds between two snapshots. A process that exited between them does not count. */
export function cpuSeconds(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  let seconds = 0;
  for (const [pid, used] of after) seconds += used - (before.get(pid) ?? 0);
  return seconds;
}
