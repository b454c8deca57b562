import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { SystemProcesses } from '../cpu.js';
import { withClient } from '../database.js';
import { byKind, type RunningProcess, type Site } from '../systems.js';

/** A site that `cms tenant create` has made, with the headers of an Admin. */
export type CreatedSite = Pick<Site, 'origin' | 'headers' | 'tenant'>;

export interface DatabaseSize {
  bytes: number;
  /** Tables, indexes and their storage of large values. */
  relations: number;
}

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

const sitesAtOnce = 4;
const stopTimeoutMs = 30_000;

/** An installation whose sites and processes come and go by the commands of operators. */
export class TenantsInstallation {
  constructor(private readonly site: Site) {}

  /** Creates sites by one command. @param ids have letters, digits and hyphens */
  async createSites(ids: readonly string[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-sites-'));
    const file = join(folder, 'sites.jsonl');
    await writeFile(file, ids.map((id) => `${JSON.stringify({ id, hosts: [hostOf(id)] })}\n`).join(''));
    await this.cms('tenant', 'create', '--from', file, '--jobs', String(sitesAtOnce));
    await rm(folder, { recursive: true });
  }

  async openSite(tenant: string): Promise<CreatedSite> {
    const user = { role: 'admin', email: 'bench@example.com', scopes: ['admin'] };
    const { token = '' } = await this.site.control('/tokens', { tenant, ...user });
    const headers = { authorization: `Bearer ${token}`, host: hostOf(tenant) };
    return { origin: this.site.origin, headers, tenant };
  }

  /** Runs a command in a process of its own. @throws Error when it fails */
  async cms(...args: string[]): Promise<string> {
    const command = { args, isProcess: true };
    const { code, stdout, stderr } = await this.site.control<CommandResult>('/cms', command);
    if (code !== 0) throw new Error(`cms ${args.join(' ')}: ${stderr.slice(-500)}`);
    return stdout;
  }

  async processes(): Promise<SystemProcesses> {
    return byKind(await this.running());
  }

  /** Stops all processes and starts them again at the same time. @returns the seconds of the slowest start */
  async restart(): Promise<number> {
    const running = await this.running();
    for (const { pid } of running) process.kill(pid, 'SIGTERM');
    const until = Date.now() + stopTimeoutMs;
    while ((await this.running()).length > 0 && Date.now() < until) await wait(50);
    const start = async ({ targets, port }: RunningProcess) => {
      const startedAt = performance.now();
      await this.site.control('/targets/start', { targets, port });
      return (performance.now() - startedAt) / 1000;
    };
    return Math.max(...(await Promise.all(running.map(start))));
  }

  databaseSize(): Promise<DatabaseSize> {
    return withClient(this.site.databaseUrl, async (client) => {
      const { rows } = await client.query<{ bytes: string; relations: string }>(
        'SELECT pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM pg_class) AS relations',
      );
      const [row] = rows;
      return { bytes: Number(row?.bytes), relations: Number(row?.relations) };
    });
  }

  private async running(): Promise<RunningProcess[]> {
    const { processes } = await this.site.control<{ processes: RunningProcess[] }>('/installation');
    return processes;
  }
}

/** The host of a site leads to this computer. */
const hostOf = (tenant: string) => `${tenant}.localhost`;
