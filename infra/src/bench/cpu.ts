import { cpuSeconds, cpuUse } from './processes.js';

/** The processes of a system by what they do. Descendants count with them. */
export interface SystemProcesses {
  api: readonly number[];
  worker: readonly number[];
}

/** CPU seconds by the kind of process. */
export interface CpuTimes {
  api: number;
  worker: number;
  database: number;
}

/** Does some work. @returns its result, and the CPU time of the system and of PostgreSQL during it */
export async function withCpuTimes<Result>(
  { api, worker }: SystemProcesses,
  postmaster: number,
  work: () => Promise<Result>,
): Promise<[Result, CpuTimes]> {
  const uses = () => [cpuUse(api), cpuUse(worker), cpuUse([postmaster])] as const;
  const before = uses();
  const result = await work();
  const after = uses();
  const times = {
    api: cpuSeconds(before[0], after[0]),
    worker: cpuSeconds(before[1], after[1]),
    database: cpuSeconds(before[2], after[2]),
  };
  return [result, times];
}
