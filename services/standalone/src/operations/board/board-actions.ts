import { QuireError } from '@quire/errors';
import type { QueueAdministration } from '@quire/jobs';
import type { Operator } from '@quire/tenancy';
import createRouter from 'find-my-way';
import type { QueueAdminService } from '../../queue-admin-service.js';

/** Changes of a queue by an action, for the log of operators. */
interface Change {
  queue: string;
  /** Id of the job, of an action on one job. */
  job?: string;
  count: number;
}

interface Action {
  /** Name in the log of operators. */
  name: string;
  run: (queues: QueueAdministration, params: Record<string, string>) => Promise<Change[]>;
}

/**
 * The only changes by the dashboard, by its paths. They run Quire's functions and not those of bull-board: a retried
 * job has all its attempts again. Every other change is rejected.
 */
const allowed: Readonly<Record<string, Action>> = {
  '/api/queues/:queue/:job/retry': {
    name: 'queue retry',
    run: async (queues, { queue = '', job = '' }) => [
      one(queue, job, await queues.retryOne(queue, job), 'failed'),
    ],
  },
  '/api/queues/:queue/retry/failed': {
    name: 'queue retry',
    run: async (queues, { queue = '' }) => [{ queue, count: await queues.retry(queue) }],
  },
  '/api/queues/:queue/:job/promote': {
    name: 'queue promote',
    run: async (queues, { queue = '', job = '' }) => [
      one(queue, job, await queues.promoteOne(queue, job), 'delayed'),
    ],
  },
  '/api/queues/:queue/pause': {
    name: 'queue pause',
    run: async (queues, { queue = '' }) => [await pause(queues, queue)],
  },
  '/api/queues/:queue/resume': {
    name: 'queue resume',
    run: async (queues, { queue = '' }) => [await resume(queues, queue)],
  },
  '/api/queues/pause': {
    name: 'queue pause',
    run: async (queues) => Promise.all(queues.names.map((queue) => pause(queues, queue))),
  },
  '/api/queues/resume': {
    name: 'queue resume',
    run: async (queues) => Promise.all(queues.names.map((queue) => resume(queues, queue))),
  },
};

const router = createRouter();
for (const [path, action] of Object.entries(allowed)) router.on('PUT', path, () => undefined, action);

/**
 * Runs a change of the dashboard, and logs it.
 * @param path path below the dashboard
 * @returns number of changed jobs or queues
 * @throws QuireError INSUFFICIENT_ROLE for a viewer, FORBIDDEN for a change that is not allowed, NOT_FOUND
 */
export async function runBoardAction(
  service: QueueAdminService,
  operator: Operator,
  { method, path }: { method: string; path: string },
): Promise<number> {
  if (operator.role !== 'operator') throw new QuireError('INSUFFICIENT_ROLE', 'A viewer changes nothing');
  const found = method === 'PUT' ? router.find(method, path) : null;
  if (!found) throw new QuireError('FORBIDDEN', 'The dashboard does not allow this change');
  const action = found.store as Action;
  const params = found.params as Record<string, string>;
  const changes = await action.run(await service.queues(), params);
  for (const { queue, job, count } of changes) {
    const detail = { token: operator.id, ...(job === undefined ? {} : { id: job }) };
    await service.record({
      actor: `operator:${operator.name}`,
      action: action.name,
      target: queue,
      detail,
      count,
    });
  }
  return changes.reduce((sum, { count }) => sum + count, 0);
}

function one(queue: string, job: string, isDone: boolean, state: string): Change {
  if (!isDone) throw new QuireError('NOT_FOUND', `There is no ${state} job ${job} in ${queue}`);
  return { queue, job, count: 1 };
}

async function pause(queues: QueueAdministration, queue: string): Promise<Change> {
  await queues.pause(queue);
  return { queue, count: 1 };
}

async function resume(queues: QueueAdministration, queue: string): Promise<Change> {
  await queues.resume(queue);
  return { queue, count: 1 };
}
