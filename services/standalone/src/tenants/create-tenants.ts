import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '@quire/config';
import { checkRegistration, type NewTenant } from '@quire/tenancy';
import { z } from 'zod';
import type { AdminService } from '../admin-service.js';
import type { AppContainer } from '../app-container.js';
import { forEachSite } from '../for-each-site.js';
import { checkSiteOptions } from './site-options.js';

const maxFileBytes = 50_000_000;

const tenantLine = z.strictObject({
  id: z.string().min(1),
  hosts: z.array(z.string().min(1)).min(1).max(100),
  /** Key of the database; null is that of DATABASE_URL. */
  database: z.string().min(1).nullable().default(null),
  settings: z.unknown().optional(),
  limits: z.unknown().optional(),
  plan: z.unknown().optional(),
});

/** A site to create. */
export interface TenantLine extends NewTenant {
  hosts: string[];
}

/** `existing`: an earlier run has created it with these hosts. */
export type CreatedTenant =
  | { id: string; outcome: 'created' | 'existing'; setupLink?: string | undefined }
  | { id: string; outcome: 'failed'; error: string };

/**
 * Reads a file with a JSON object a line: `{"id": "acme", "hosts": ["acme.example"], "database": "EU1"}`. Empty lines
 * are left out. A line may also have `settings`, `limits` and `plan`.
 * @param installation whose configuration the settings replace parts of
 * @throws ConfigurationError that names the first wrong line; then no site is created
 */
export async function readTenantLines(
  path: string,
  installation: Pick<AppContainer, 'site' | 'environment'>,
): Promise<TenantLine[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${path}: the file cannot be read (${error.code ?? 'error'})`);
  });
  if (text.length > maxFileBytes) throw new ConfigurationError(`${path}: more than ${maxFileBytes} bytes`);
  const lines = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [parseLine(line, installation)];
    } catch (error) {
      throw new ConfigurationError(`${path}, line ${index + 1}: ${(error as Error).message}`);
    }
  });
  const ids = new Set<string>();
  for (const { id } of lines) {
    if (ids.has(id)) throw new ConfigurationError(`${path}: ${id} is there twice`);
    ids.add(id);
  }
  return lines;
}

/** @throws Error whose message is for the operator */
function parseLine(line: string, installation: Pick<AppContainer, 'site' | 'environment'>): TenantLine {
  const parsed = tenantLine.safeParse(jsonOf(line));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error([...(issue?.path ?? []), issue?.message].join(' '));
  }
  const { id, hosts, database, ...options } = parsed.data;
  const site = {
    id,
    database,
    hosts: hosts.map((host) => host.toLowerCase()),
    ...checkSiteOptions(installation, options),
  };
  checkRegistration(site, site.hosts);
  return site;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Creates sites, several at the same time. One that fails does not stop the others. A repeated call completes sites
 * that an interrupted one has left without tables, and leaves the others as they are.
 * @param options.onTenant is called after each site, in the order of their ends
 */
export async function createTenants(
  { tenants }: Pick<AdminService, 'tenants'>,
  lines: readonly TenantLine[],
  { jobs, onTenant }: { jobs: number; onTenant: (tenant: CreatedTenant) => Promise<void> },
): Promise<void> {
  const create = async ({ hosts, ...tenant }: TenantLine): Promise<CreatedTenant> => {
    const { id } = tenant;
    const { isNew, setupLink } = await tenants.ensure(tenant, hosts);
    return isNew ? { id, outcome: 'created', setupLink } : { id, outcome: 'existing' };
  };
  await forEachSite(lines, {
    jobs,
    work: create,
    onDone: (_, created) => onTenant(created),
    onFailed: ({ id }, { message }) => onTenant({ id, outcome: 'failed', error: message }),
  });
}
