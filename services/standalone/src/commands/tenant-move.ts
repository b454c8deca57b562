import { InvalidArgumentError, type Command } from 'commander';
import { keyOf, maxPause, nameOf, type MoveReceipt, type MoveStep } from '../tenants/move/index.js';
import { commandLineActor } from './queues/index.js';
import type { RunCommand } from './run-command.js';

const steps: Partial<Record<MoveStep, string>> = {
  guarded: 'Writes are rejected; copying',
  switched: 'Moved; waiting until every process knows, to remove the former copy',
};

interface MoveOptions {
  database: string;
  maxPause: number;
  keep?: boolean;
}

/** The command that moves a site to another database. */
export function addMoveCommand(tenant: Command, run: RunCommand): void {
  tenant
    .command('move')
    .description(
      'Move a site to another database. It is read all the time, and rejects writes with 503 while it is copied. Repeat the command after an interruption.',
    )
    .argument('<id>', 'The site.')
    .requiredOption(
      '--database <key>',
      'The database of DATABASE_URL_<key>; default is that of DATABASE_URL.',
    )
    .option(
      '--max-pause <seconds>',
      `Give up when writes are rejected for longer, 1 to ${maxPause.max}. The default is ${maxPause.default}.`,
      secondsOf,
      maxPause.default,
    )
    .option('--keep', 'Leave the former copy, read-only. The next move of the site removes it.')
    .action((id: string, { database, maxPause: maxPauseSeconds, keep = false }: MoveOptions) =>
      run(async ({ adminService, print }) => {
        const receipt = await adminService.tenants.move({
          id,
          to: keyOf(database),
          maxPauseSeconds,
          keepsCopy: keep,
          actor: commandLineActor(),
          onStep: async (step) => {
            const line = step === 'switched' && keep ? undefined : steps[step];
            if (line !== undefined) await print(line);
          },
        });
        if (!receipt) return `The tenant ${id} is in ${database}`;
        return `${lineOf(id, database, receipt)}${keep ? `\nThe copy in ${nameOf(receipt.from)} remains, read-only` : ''}`;
      }),
    );
}

function lineOf(id: string, database: string, { from, tables, rows, bytes, pauseMs }: MoveReceipt): string {
  return `Moved the tenant ${id} from ${nameOf(from)} to ${database}: ${rows} rows of ${tables} tables, ${bytes} bytes; writes were rejected for ${(pauseMs / 1000).toFixed(2)} s`;
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= maxPause.max) return seconds;
  throw new InvalidArgumentError(`It must be a number from 1 to ${maxPause.max}.`);
}
