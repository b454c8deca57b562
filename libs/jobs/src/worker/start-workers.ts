import { hostname } from 'node:os';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { newTrace, parseTraceparent, startSpan, traceIdOf, type Span } from '@quire/tracing';
import {
  PostponedJobError,
  UnrecoverableJobError,
  type JobWorker,
  type QueueBackend,
  type RunningJob,
} from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import { jobs as declaredJobs } from '../declare/jobs.js';
import type { PausedSites } from '../pause/paused-sites.js';
import { decode, tenantOf } from './decode.js';
import { PausedJobs } from './paused-jobs.js';

/** Binds a declared job to its handler. `Context` is the result of `contextOf`. */
export interface JobHandler<Context> {
  job: JobDeclaration;
  run: (ctx: Context, message: never) => Promise<string>;
}

/** A handler whose message and outcomes are those of the declaration. */
export function jobHandler<Context, Message extends DescMessage, Outcome extends string>(
  job: JobDeclaration<Message, Outcome>,
  run: (ctx: Context, message: MessageShape<Message>) => Promise<NoInfer<Outcome>>,
): JobHandler<Context> {
  return { job: job as unknown as JobDeclaration, run: run as unknown as JobHandler<Context>['run'] };
}

export interface JobResult {
  job: string;
  id: string;
  tenant: string | undefined;
  /** One of the job's outcomes, `tenant-deleted`, `unknown-job`, `site-paused`, or `failed`. */
  outcome: string;
  /** Time that a first attempt has waited; absent for a further one, whose delay is intended. */
  waitSeconds?: number;
  seconds: number;
  /** Whether the job failed for good: it has no further attempt. */
  isExhausted: boolean;
}

interface WorkerLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WorkersOptions<Context> {
  target: string;
  backend: QueueBackend;
  pausedSites: PausedSites;
  handlers: readonly JobHandler<Context>[];
  /** Returns the context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string, trace: string) => Promise<Context | undefined>;
  logger: WorkerLogger;
  onJobEnd?: (end: JobResult) => void;
  /** Maximum time that `stop` waits for running jobs. */
  stopWithinSeconds?: number;
  /** All declared jobs. */
  jobs?: readonly JobDeclaration[];
  /** Delay of a job that this version does not know, or of a paused site, until a worker looks at it again. */
  postponeMs?: number;
}

const defaultPostponeMs = 30_000;

/** A little less than the time in which a process stops each of its parts (libs/runtime). */
const defaultStopWithinSeconds = 10;

/**
 * Runs the jobs of a target in this process. Jobs of other names on its queues are postponed without using an attempt:
 * during a rolling update the newer version adds jobs that the older one does not know. So are those of paused sites.
 * @throws Error at boot when a declared job of the target has no handler or two, or a handler has no declared job of it
 */
export async function startWorkers<Context>(
  options: WorkersOptions<Context>,
): Promise<{ stop: () => Promise<void> }> {
  checkHandlers(options);
  const { stopWithinSeconds = defaultStopWithinSeconds } = options;
  const workers: JobWorker[] = [];
  for (const [queue, handlers] of handlersByQueue(options.handlers)) {
    workers.push(await startQueueWorker(options, queue, handlers));
  }
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop(stopWithinSeconds)));
    },
  };
}

function checkHandlers<Context>({ target, handlers, jobs = declaredJobs }: WorkersOptions<Context>): void {
  for (const { name } of jobs.filter((job) => job.target === target)) {
    const count = handlers.filter(({ job }) => job.name === name).length;
    if (count !== 1)
      throw new Error(`The job ${name} of ${target} has ${count === 0 ? 'no handler' : `${count} handlers`}`);
  }
  const stray = handlers.find(
    ({ job }) => !jobs.some(({ name }) => name === job.name) || job.target !== target,
  );
  if (stray) throw new Error(`${stray.job.name} is no job of ${target}`);
}

function handlersByQueue<Context>(
  handlers: readonly JobHandler<Context>[],
): Map<string, JobHandler<Context>[]> {
  const queues = new Map<string, JobHandler<Context>[]>();
  for (const handler of handlers)
    queues.set(handler.job.queue, [...(queues.get(handler.job.queue) ?? []), handler]);
  return queues;
}

function startQueueWorker<Context>(
  options: WorkersOptions<Context>,
  queue: string,
  handlers: readonly JobHandler<Context>[],
): Promise<JobWorker> {
  const limits = handlers.map(({ job }) => job);
  const postponeUnknown = unknownJobs(options, queue);
  const postponePaused = pausedJobs(options, queue);
  return options.backend.worker(
    queue,
    {
      name: `${options.target}@${hostname()}:${process.pid}`,
      concurrency: Math.max(...limits.map(({ concurrency }) => concurrency)),
      lockSeconds: Math.max(...limits.map(({ lockSeconds }) => lockSeconds)),
      maxStalls: Math.max(...limits.map(({ maxStalls }) => maxStalls)),
    },
    async (running) => {
      const handler = handlers.find(({ job }) => job.name === running.name);
      if (!handler) return postponeUnknown(running);
      postponePaused(running);
      return runJob(options, handler, running);
    },
  );
}

/** Postpones jobs without a handler. The first of each name is logged. */
function unknownJobs<Context>(
  { logger, onJobEnd, postponeMs = defaultPostponeMs }: WorkersOptions<Context>,
  queue: string,
): (running: RunningJob) => never {
  const logged = new Set<string>();
  return ({ id, name }) => {
    if (!logged.has(name)) {
      logged.add(name);
      logger.warn({ queue, job: name, jobId: id }, 'queue holds jobs that this version does not know');
    }
    onJobEnd?.({ job: name, id, tenant: undefined, outcome: 'unknown-job', seconds: 0, isExhausted: false });
    throw new PostponedJobError(`No handler for ${name}`, postponeMs);
  };
}

/** Postpones the jobs of paused sites. */
function pausedJobs<Context>(
  { backend, pausedSites, onJobEnd, postponeMs = defaultPostponeMs }: WorkersOptions<Context>,
  queue: string,
): (running: RunningJob) => void {
  const jobs = new PausedJobs(queue, { backend, pausedSites, delayMs: postponeMs });
  return (running) => {
    const tenant = jobs.pausedSiteOf(running);
    if (tenant === undefined) return;
    const { id, name } = running;
    onJobEnd?.({ job: name, id, tenant, outcome: 'site-paused', seconds: 0, isExhausted: false });
    throw jobs.postpone(id, tenant);
  };
}

async function runJob<Context>(
  { contextOf, logger, onJobEnd }: WorkersOptions<Context>,
  handler: JobHandler<Context>,
  running: RunningJob,
): Promise<string> {
  const startedAt = performance.now();
  const { attempt, dueAt } = running;
  const wait = attempt === 1 ? { waitSeconds: Math.max(0, (Date.now() - dueAt.getTime()) / 1000) } : {};
  const { span, trace } = startRun(handler.job, running);
  let tenant: string | undefined;
  const end = (outcome: string, isExhausted = false) => {
    const seconds = (performance.now() - startedAt) / 1000;
    onJobEnd?.({ job: running.name, id: running.id, tenant, outcome, ...wait, seconds, isExhausted });
    return {
      job: running.name,
      jobId: running.id,
      traceId: traceIdOf(trace),
      tenant,
      attempt,
      outcome,
      ms: Math.round(seconds * 1000),
    };
  };
  try {
    const message = decode(handler.job, running.data);
    tenant = tenantOf(handler.job, message);
    const ctx = await contextOf(tenant, running.id, trace);
    const outcome = ctx === undefined ? 'tenant-deleted' : await handler.run(ctx, message as never);
    logger.info(end(outcome), 'job');
    span?.setAttributes({ 'quire.tenant': tenant, 'quire.outcome': outcome });
    span?.end();
    return outcome;
  } catch (error) {
    const isExhausted = error instanceof UnrecoverableJobError || attempt >= handler.job.attempts;
    logger.error({ ...end('failed', isExhausted), err: error }, 'job failed');
    span?.setAttributes({ 'quire.tenant': tenant });
    span?.end(error);
    throw error;
  }
}

/** Continues the trace of the request that sent the job; a job without one begins a trace. */
function startRun(
  { name, queue }: JobDeclaration,
  { id, trace: received, attempt }: RunningJob,
): { span: Span | undefined; trace: string } {
  const parent = parseTraceparent(received);
  const span = startSpan(`process ${name}`, {
    kind: 'consumer',
    parent,
    ...(parent && { links: [parent] }),
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': id,
      'quire.attempt': attempt,
    },
  });
  return { span, trace: span?.trace ?? parent ?? newTrace() };
}
