import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import { instant } from '@quire/operation';
import { AuditAdminService } from '../audit-admin-service.js';
import type { Command } from './command.js';

const text = { type: 'string' } as const;

/** What operators do with audit logs. Without --tenant they mean those of all sites. */
export const auditCommands: readonly Command[] = [
  {
    name: 'audit verify',
    usage: 'audit verify [--tenant T]',
    summary:
      'Verify the audit log of each site, or of one: no record was changed, removed or inserted. Exits with 1 and the place of the first fault.',
    options: { tenant: text },
    run: async ({ installation }, { tenant }) => {
      const verified = await new AuditAdminService(installation).verify(tenant as string | undefined);
      const broken = verified.filter(({ fault }) => fault !== null);
      if (broken.length > 0) {
        const lines = broken.map(({ tenant: id, fault }) => `The audit log of ${id} is broken: ${fault}`);
        throw new QuireError('CONFLICT', lines.join('\n'));
      }
      const sum = (count: 'records' | 'heads') => verified.reduce((all, each) => all + each[count], 0);
      return `The audit log holds: ${sum('records')} record(s), ${sum('heads')} daily head(s), ${verified.length} tenant(s)`;
    },
  },
  {
    name: 'audit export',
    usage: 'audit export [--tenant T] [--since ISO] [--follow]',
    summary:
      'Print the audit log of each site, or of one, as NDJSON. --since skips earlier records, --follow continues until Ctrl-C.',
    options: { tenant: text, since: text, follow: { type: 'boolean' } },
    run: async ({ installation, print, stopSignal }, { tenant, since, follow }) => {
      const records = new AuditAdminService(installation).export({
        tenantId: tenant as string | undefined,
        since: since === undefined ? undefined : time(since as string),
        follow: follow === true ? stopSignal() : undefined,
      });
      for await (const record of records) await print(JSON.stringify(record));
    },
  },
];

function time(since: string): string {
  const { data } = instant.safeParse(since);
  if (data === undefined)
    throw new ConfigurationError('--since must be an ISO 8601 time with Z or an offset');
  return data;
}
