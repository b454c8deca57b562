import type { Command } from 'commander';
import { OperatorAdminService } from '../operator-admin-service.js';
import { QueueAdminService } from '../queue-admin-service.js';
import { commandLineActor, formatList, jsonOption } from './queues/index.js';
import type { RunCommand } from './run-command.js';

const listedActions = 100;

/** Commands on operators: their tokens and the log of their changes. */
export function addOperatorCommands(program: Command, run: RunCommand): void {
  const operator = program.command('operator');
  addOperatorTokenCommands(operator.command('token'), run);
  operator
    .command('log')
    .description(
      'List the last changes to sites, queues, outboxes and tokens by operators, the newest first.',
    )
    .option(...jsonOption)
    .action(({ json }: { json?: true }) =>
      run(async ({ installation }) => {
        const actions = await new QueueAdminService(installation).actions(listedActions);
        return formatList(actions, {
          json,
          empty: 'No action',
          columns: {
            TIME: ({ at }) => at,
            ACTOR: ({ actor }) => actor,
            ACTION: ({ action }) => action,
            TARGET: ({ target }) => target,
            COUNT: ({ count }) => count,
            DETAIL: ({ detail }) =>
              Object.entries(detail)
                .map(([name, value]) => `${name}=${value}`)
                .join(' '),
          },
        });
      }),
    );
}

function addOperatorTokenCommands(token: Command, run: RunCommand): void {
  token
    .command('create')
    .description('Print a new token for the operations port and nothing else. It is printed only once.')
    .requiredOption('--name <name>', 'The name of the operator, for the log of operators.')
    .requiredOption('--role <role>', 'viewer (reads) or operator (also changes queues and sites).')
    .option('--expires-in <time>', 'The lifetime: 90d or 12h. The default is no end.')
    .action((options: { name: string; role: string; expiresIn?: string }) =>
      run(async ({ installation }) =>
        new OperatorAdminService(installation).createToken({ ...options, actor: commandLineActor() }),
      ),
    );
  token
    .command('list')
    .description('List the tokens for the operations port, the newest first.')
    .option(...jsonOption)
    .action(({ json }: { json?: true }) =>
      run(async ({ installation }) => {
        const tokens = await new OperatorAdminService(installation).tokens();
        return formatList(tokens, {
          json,
          empty: 'No token',
          columns: {
            ID: ({ id }) => id,
            NAME: ({ name }) => name,
            ROLE: ({ role }) => role,
            CREATED: ({ createdAt }) => createdAt,
            'LAST USED': ({ lastUsedAt }) => lastUsedAt ?? '-',
            EXPIRES: ({ expiresAt }) => expiresAt ?? '-',
          },
        });
      }),
    );
  token
    .command('revoke')
    .description('Delete a token. Its sessions on the operations port end within seconds.')
    .argument('<id>', 'The id of "cms operator token list".')
    .option(...jsonOption)
    .action((id: string, { json }: { json?: true }) =>
      run(async ({ installation }) => {
        const name = await new OperatorAdminService(installation).revokeToken(id, commandLineActor());
        return json ? JSON.stringify({ revoked: id }) : `Revoked the token of ${name}`;
      }),
    );
}
