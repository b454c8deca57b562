import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Parent and CPU seconds of every process that can be read. */
function snapshot() {
  const processes = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in brackets may hold spaces; the fields behind it do not.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
      processes.set(Number(name), { parent: Number(fields[1]), seconds });
    } catch {
      // It ended while we looked.
    }
  }
  return processes;
}

/** A process and all below it. */
function family(processes, root) {
  const pids = [root];
  for (let index = 0; index < pids.length; index += 1) {
    for (const [pid, { parent }] of processes) if (parent === pids[index]) pids.push(pid);
  }
  return pids;
}

/** CPU seconds that a process and each below it have used so far, by process. */
export function cpuUse(root) {
  const processes = snapshot();
  return new Map(family(processes, root).map((pid) => [pid, processes.get(pid)?.seconds ?? 0]));
}

/** CPU seconds between two looks. Of a process that ended meanwhile nothing is known: it counts for nothing. */
export function cpuSeconds(before, after) {
  let seconds = 0;
  for (const [pid, used] of after) seconds += used - (before.get(pid) ?? 0);
  return seconds;
}
