import type { Readiness } from '@quire/http-server';
import { jobs, observeQueues, type ObservedQueue, type PendingMessages } from '@quire/jobs';
import { listProcesses, type QueuePause, type RecordedProcess } from '@quire/tenancy';
import type { Backlog } from '@quire/work-queue';
import type { AppContainer } from '../../app-container.js';
import { QueueAdminService } from '../../queue-admin-service.js';
import { readPart } from '../../read-part.js';
import { version } from '../../version.js';
import { Throughput } from './throughput.js';

export interface QueueOverview extends ObservedQueue {
  /** Jobs that ended in a minute, since the earliest read of the last ten; null at the first one. */
  finishedPerMinute: number | null;
}

/** The state of an installation, as its gateway sees it. A part that cannot be read is null. */
export interface Overview {
  /** Time of the read, ISO 8601. */
  at: string;
  process: { version: string; targets: readonly string[]; node: string; uptimeSeconds: number };
  /** Stores, and services in other processes. */
  health: Readiness;
  /** All running processes with a database. */
  processes: RecordedProcess[] | null;
  /** Processes with connected workers. */
  workers: { process: string; queues: string[] }[] | null;
  queues: QueueOverview[] | null;
  /** Queues in which the jobs of a site are paused. */
  pauses: QueuePause[] | null;
  outbox: { queues: (PendingMessages & { queue: string })[]; failed: number } | null;
  /** Pending work in tables across sites. */
  backlog: (Backlog & { work: string })[] | null;
  /** Scheduled publications. */
  schedules: { planned: number; due: number; lateSeconds: number } | null;
  /** Requests per second at this gateway in the last complete minute. */
  busiestSites: { site: string; requestsPerSecond: number }[];
}

const queueNames = [...new Set(jobs.map(({ queue }) => queue))].sort();

/**
 * Reads the overview.
 * @param container the process
 * @param own the connections for operators
 * @param throughput earlier reads of the queues
 */
export async function readOverview(
  container: AppContainer,
  own: AppContainer,
  throughput = new Throughput(),
): Promise<Overview> {
  const service = new QueueAdminService(own);
  const partOf = <Part>(name: string, read: () => Promise<Part>) => readPart(container.logger, name, read);
  const [health, processes, workers, queues, finished, pauses, outbox, backlog] = await Promise.all([
    container.health.readiness(),
    partOf('processes', async () => listProcesses(await own.registryTables())),
    partOf('workers', () => readWorkers(own)),
    partOf('queues', async () => observeQueues(await own.queues(), queueNames)),
    partOf('rates of queues', () => readFinished(own)),
    partOf('pauses', async () => (await service.queues()).pauses()),
    partOf('outbox', () => readOutbox(service)),
    partOf('backlog', () => service.backlog()),
  ]);
  const rates = finished && throughput.perMinute(finished);
  const schedules = backlog?.find(({ work }) => work === 'schedules');
  return {
    at: new Date().toISOString(),
    process: {
      version,
      targets: container.targets,
      node: process.version,
      uptimeSeconds: Math.floor(process.uptime()),
    },
    health,
    processes,
    workers,
    queues: queues && queues.map((each) => ({ ...each, finishedPerMinute: rates?.get(each.queue) ?? null })),
    pauses,
    outbox,
    backlog,
    schedules: schedules
      ? {
          planned: schedules.count - schedules.due,
          due: schedules.due,
          lateSeconds: schedules.oldestSeconds,
        }
      : null,
    busiestSites: container.metrics
      .busiestSites()
      .map(([site, requestsPerSecond]) => ({ site, requestsPerSecond })),
  };
}

async function readFinished(own: AppContainer): Promise<ReadonlyMap<string, number>> {
  const backend = await own.queues();
  const counts = queueNames.map(async (queue) => [queue, await backend.admin(queue).finished()] as const);
  return new Map(await Promise.all(counts));
}

async function readWorkers(own: AppContainer): Promise<{ process: string; queues: string[] }[]> {
  const backend = await own.queues();
  const queuesOf = new Map<string, string[]>();
  await Promise.all(
    queueNames.map(async (queue) => {
      for (const name of await backend.admin(queue).workers())
        queuesOf.set(name, [...(queuesOf.get(name) ?? []), queue]);
    }),
  );
  return [...queuesOf]
    .map(([process, queues]) => ({ process, queues: queues.sort() }))
    .sort((left, right) => left.process.localeCompare(right.process));
}

async function readOutbox(service: QueueAdminService): Promise<NonNullable<Overview['outbox']>> {
  const outboxes = await service.outboxes();
  const pending = queueNames.map(async (queue) => {
    const names = new Set(jobs.filter((job) => job.queue === queue).map(({ name }) => name));
    return { queue, ...(await outboxes.pendingOf(names)) };
  });
  return { queues: await Promise.all(pending), failed: (await outboxes.listFailed()).length };
}
