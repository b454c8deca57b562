import { setTimeout as wait } from 'node:timers/promises';
import type { TestServer } from '../../stores/test-server.js';
import type { ScheduleRun } from './schedules.js';

/** Time without Redis. */
const outageMs = 5_000;

export interface Interruptible {
  /** Process id of one of several workers. */
  worker: number;
  redis: TestServer;
  /** Process id of the PostgreSQL server; the bench starts a killed one again. */
  postmaster: number;
}

/** A run for each part that is killed while publications are due. The worker is the last: it does not start again. */
export const interruptedRuns = ({ worker, redis, postmaster }: Interruptible): ScheduleRun[] => [
  {
    name: 'Redis killed for 5 s',
    async interrupt() {
      await redis.kill();
      await wait(outageMs);
      await redis.restart();
    },
  },
  { name: 'PostgreSQL killed', interrupt: () => process.kill(postmaster, 'SIGKILL') },
  { name: 'one worker killed', interrupt: () => process.kill(worker, 'SIGKILL') },
];
