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

/** CPU seconds used so far by processes and all below them, without some. */
export function cpuSeconds(roots, { without = [] } = {}) {
  const processes = snapshot();
  const counted = new Set(
    roots.flatMap((root) => family(processes, root)).filter((pid) => !without.includes(pid)),
  );
  return [...counted].reduce((sum, pid) => sum + (processes.get(pid)?.seconds ?? 0), 0);
}
