import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { QueueAdminService } from '../../queue-admin-service.js';
import type { RunCommand } from '../run-command.js';
import { commandLineActor, formatList, formatSeconds, jsonOption } from './output.js';

/** Commands on messages that the queues rejected. */
export function addOutboxCommands(program: Command, run: RunCommand): void {
  const outbox = program.command('outbox');
  outbox
    .command('list')
    .description('List the messages that a queue rejected, the oldest first.')
    .option(...jsonOption)
    .action(({ json }: { json?: true }) =>
      run(async ({ installation }) => {
        const failed = await (await new QueueAdminService(installation).outboxes()).listFailed();
        return formatList(failed, {
          json,
          empty: 'No failed message',
          columns: {
            ID: ({ id }) => id,
            SERVICE: ({ service, database }) => (database === null ? service : `${service} (${database})`),
            JOB: ({ job }) => job,
            SITE: ({ tenant }) => tenant ?? '-',
            AGE: ({ failedAt }) => formatSeconds((Date.now() - Date.parse(failedAt)) / 1000),
            REASON: ({ failure }) => failure,
          },
        });
      }),
    );
  outbox
    .command('retry')
    .description('Add a failed message to its queue again.')
    .argument('<id>', 'The id of "cms outbox list".')
    .option(...jsonOption)
    .action((id: string, { json }: { json?: true }) =>
      run(async ({ installation }) => {
        const service = new QueueAdminService(installation);
        await (await service.outboxes()).retry(id);
        await service.record({
          actor: commandLineActor(),
          action: 'outbox retry',
          target: id,
          detail: {},
          count: 1,
        });
        return json ? JSON.stringify({ retried: 1 }) : `The message ${id} is pending again`;
      }),
    );
  outbox
    .command('drop')
    .description('Delete a failed message. Its job never runs. This cannot be undone.')
    .argument('<id>', 'The id of "cms outbox list".')
    .option('--yes', 'Confirm the deletion.')
    .option(...jsonOption)
    .action((id: string, { json, yes }: { json?: true; yes?: true }) =>
      run(async ({ installation }) => {
        if (!yes) throw new ConfigurationError(`This deletes the message ${id}: confirm with --yes`);
        const service = new QueueAdminService(installation);
        await (await service.outboxes()).drop(id);
        await service.record({
          actor: commandLineActor(),
          action: 'outbox drop',
          target: id,
          detail: {},
          count: 1,
        });
        return json ? JSON.stringify({ dropped: 1 }) : `Deleted the message ${id}`;
      }),
    );
}

/** Commands on the tables of pending work. */
export function addWorkCommands(program: Command, run: RunCommand): void {
  program
    .command('backlog')
    .description('List the tables of pending work with their numbers of rows.')
    .option('--work <name>', 'Only this table.')
    .option('--tenant <id>', 'Only the work of this site.')
    .option(...jsonOption)
    .action(({ json, work, tenant }: { json?: true; work?: string; tenant?: string }) =>
      run(async ({ installation }) => {
        const backlogs = await new QueueAdminService(installation).backlog({ work, tenant });
        return formatList(backlogs, {
          json,
          empty: 'No work',
          columns: {
            WORK: ({ work: name }) => name,
            ROWS: ({ count }) => count,
            DUE: ({ due }) => due,
            FAILED: ({ failed }) => failed,
            OLDEST: ({ oldestSeconds }) => formatSeconds(oldestSeconds),
            ATTEMPTS: ({ maxAttempts }) => maxAttempts,
          },
        });
      }),
    );
}
