import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import { instant } from '@quire/operation';
import { AuditAdminService } from '../audit-admin-service.js';
import type { RunCommand } from './run-command.js';

/** Commands on audit logs. */
export function addAuditCommands(program: Command, run: RunCommand): void {
  const audit = program.command('audit');
  audit
    .command('verify')
    .description(
      'Verify the audit log of each site, or of one: no record was changed, removed or inserted. Exits with 1 and the place of the first fault.',
    )
    .option('--tenant <id>', 'The site. The default is all sites.')
    .action(({ tenant }: { tenant?: string }) =>
      run(async ({ installation }) => {
        const verified = await new AuditAdminService(installation).verify(tenant);
        const broken = verified.filter(({ fault }) => fault !== null);
        if (broken.length > 0) {
          const lines = broken.map(({ tenant: id, fault }) => `The audit log of ${id} is broken: ${fault}`);
          throw new QuireError('CONFLICT', lines.join('\n'));
        }
        const sum = (count: 'records' | 'heads') => verified.reduce((all, each) => all + each[count], 0);
        return `The audit log holds: ${sum('records')} record(s), ${sum('heads')} daily head(s), ${verified.length} tenant(s)`;
      }),
    );
  audit
    .command('export')
    .description('Print the audit log of each site, or of one, as NDJSON.')
    .option('--tenant <id>', 'The site. The default is all sites.')
    .option('--since <time>', 'Skip earlier records: an ISO 8601 time with Z or an offset.')
    .option('--follow', 'Continue until Ctrl-C.')
    .action(({ tenant, since, follow }: { tenant?: string; since?: string; follow?: true }) =>
      run(async ({ installation, print, stopSignal }) => {
        const records = new AuditAdminService(installation).export({
          tenantId: tenant,
          since: since === undefined ? undefined : parseInstant(since),
          follow: follow === true ? stopSignal() : undefined,
        });
        for await (const record of records) await print(JSON.stringify(record));
      }),
    );
}

function parseInstant(since: string): string {
  const { data } = instant.safeParse(since);
  if (data === undefined)
    throw new ConfigurationError('--since must be an ISO 8601 time with Z or an offset');
  return data;
}
