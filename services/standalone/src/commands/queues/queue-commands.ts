import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import type { JobFilter, QueueSummary } from '@quire/jobs';
import { QueueAdminService } from '../../queue-admin-service.js';
import type { RunCommand } from '../run-command.js';
import { commandLineActor, formatList, formatSeconds, jsonOption } from './output.js';

const queueArgument = ['<queue>', 'A queue of "cms queue list".'] as const;
const tenantFilter = ['--tenant <id>', 'Only the jobs of this site.'] as const;
const jobFilter = ['--job <name>', 'Only jobs of this name.'] as const;

interface Json {
  json?: true;
}

/** Commands on the queues of background jobs. */
export function addQueueCommands(program: Command, run: RunCommand): void {
  const queue = program.command('queue');
  addReadingCommands(queue, run);
  addActingCommands(queue, run);
}

function addReadingCommands(queue: Command, run: RunCommand): void {
  queue
    .command('list')
    .description('List the queues of background jobs with their numbers of jobs.')
    .option(...jsonOption)
    .action(({ json }: Json) =>
      run(async ({ installation }) => {
        const queues = await (await new QueueAdminService(installation).queues()).list();
        const listed = queues.map((each) => ({ ...each, state: stateOf(each) }));
        return formatList(listed, {
          json,
          empty: 'No queue',
          columns: {
            QUEUE: ({ queue: name }) => name,
            WAITING: ({ waiting }) => waiting,
            ACTIVE: ({ active }) => active,
            DELAYED: ({ delayed }) => delayed,
            FAILED: ({ failed }) => failed,
            OLDEST: ({ oldestSeconds }) => formatSeconds(oldestSeconds),
            WORKERS: ({ workers }) => workers,
            STATE: ({ state, pausedSites }) => withPausedSites(state, pausedSites),
            OUTBOX: ({ outbox }) => `${outbox.count} (${formatSeconds(outbox.oldestSeconds)})`,
          },
        });
      }),
    );
  queue
    .command('top')
    .description('List the sites with the most waiting jobs of a queue, among the 10,000 that wait longest.')
    .argument(...queueArgument)
    .option(...jsonOption)
    .action((name: string, { json }: Json) =>
      run(async ({ installation }) => {
        const top = await (await new QueueAdminService(installation).queues()).top(name);
        if (json) return JSON.stringify(top, null, 2);
        const table = formatList(top.sites, {
          json,
          empty: `No job waits in ${name}`,
          columns: {
            SITE: ({ tenant }) => tenant ?? '-',
            WAITING: ({ jobs }) => jobs,
            STATE: ({ isPaused }) => (isPaused ? 'paused' : ''),
          },
        });
        return top.sample === 0 ? table : `${table}\nRead ${top.sample} of ${top.waiting} waiting jobs`;
      }),
    );
  queue
    .command('failed')
    .description('List the failed jobs of a queue, the last failed first.')
    .argument(...queueArgument)
    .option(...tenantFilter)
    .option(...jsonOption)
    .action((name: string, { json, tenant }: Json & JobFilter) =>
      run(async ({ installation }) => {
        const service = new QueueAdminService(installation);
        const failed = await (await service.queues()).failed(name, await service.resolveSite({ tenant }));
        return formatList(failed, {
          json,
          empty: `No failed job in ${name}`,
          columns: {
            ID: ({ id }) => id,
            JOB: ({ job }) => job,
            SITE: ({ tenant: site }) => site ?? '-',
            ATTEMPTS: ({ attempts }) => attempts,
            AGE: ({ ageSeconds }) => formatSeconds(ageSeconds),
            REASON: ({ reason }) => reason,
          },
        });
      }),
    );
}

function addActingCommands(queue: Command, run: RunCommand): void {
  queue
    .command('retry')
    .description('Run failed jobs of a queue again, with all their attempts.')
    .argument(...queueArgument)
    .option(...jobFilter)
    .option(...tenantFilter)
    .option('--id <id>', 'Only this job.')
    .option(...jsonOption)
    .action((name: string, { json, ...filter }: Json & JobFilter) =>
      run(async ({ installation }) => {
        const service = new QueueAdminService(installation);
        const count = await (await service.queues()).retry(name, await service.resolveSite(filter));
        await service.record({ ...by('queue retry', name), detail: detailOf(filter), count });
        return json ? JSON.stringify({ retried: count }) : `Retried ${count} job(s) of ${name}`;
      }),
    );
  queue
    .command('drop')
    .description('Delete the waiting, delayed and failed jobs of a site from a queue. This cannot be undone.')
    .argument(...queueArgument)
    .requiredOption('--tenant <id>', 'The site.')
    .option(...jobFilter)
    .option('--yes', 'Confirm the deletion.')
    .option(...jsonOption)
    .action((name: string, { json, yes, ...filter }: Json & JobFilter & { tenant: string; yes?: true }) =>
      run(async ({ installation }) => {
        if (!yes)
          throw new ConfigurationError(
            `This deletes jobs of ${filter.tenant} in ${name}: confirm with --yes`,
          );
        const service = new QueueAdminService(installation);
        const count = await (await service.queues()).drop(name, await service.resolveSite(filter));
        await service.record({ ...by('queue drop', name), detail: detailOf(filter), count });
        return json
          ? JSON.stringify({ dropped: count })
          : `Deleted ${count} job(s) of ${filter.tenant} in ${name}`;
      }),
    );
  for (const [action, description, done] of [
    [
      'pause',
      'Let no worker take further jobs of a queue, of all sites or of one. Running jobs end, and new jobs wait.',
      'Paused',
    ],
    ['resume', 'Let workers take the jobs of a paused queue again, or those of a paused site.', 'Resumed'],
  ] as const)
    queue
      .command(action)
      .description(description)
      .argument(...queueArgument)
      .option(...tenantFilter)
      .option(...jsonOption)
      .action((name: string, { json, tenant }: Json & { tenant?: string }) =>
        run(async ({ installation }) => {
          const service = new QueueAdminService(installation);
          const queues = await service.queues();
          const { tenant: storageId } = await service.resolveSite({ tenant });
          if (storageId === undefined) await queues[action](name);
          else await queues[`${action}Site`](name, storageId);
          await service.record({ ...by(`queue ${action}`, name), detail: detailOf({ tenant }), count: 1 });
          const what = tenant === undefined ? name : `${name} of ${tenant}`;
          return json
            ? JSON.stringify({ queue: name, tenant, paused: action === 'pause' })
            : `${done} ${what}`;
        }),
      );
}

function stateOf({ isPaused, workers }: QueueSummary): string {
  if (isPaused) return 'paused';
  return workers === 0 ? 'NO WORKER' : 'running';
}

/** `running, 2 sites paused` */
function withPausedSites(state: string, { length }: readonly string[]): string {
  return length === 0 ? state : `${state}, ${length} ${length === 1 ? 'site' : 'sites'} paused`;
}

const by = (action: string, target: string) => ({ actor: commandLineActor(), action, target });

/** The conditions that were given. */
function detailOf(filter: JobFilter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
