import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitUntil } from './support.js';

interface EmbeddedPostgres {
  url: string;
  stop(options?: { immediate?: boolean }): Promise<void>;
}

// The type check of tests does not include infra.
const module = new URL('../../infra/src/postgres/embedded-postgres.ts', import.meta.url).pathname;
const { startEmbeddedPostgres } = (await import(module)) as {
  startEmbeddedPostgres(options: {
    dataDir: string;
    settings: Record<string, string>;
  }): Promise<EmbeddedPostgres>;
};

const settings = { fsync: 'off', wal_level: 'replica', max_wal_senders: '5', hot_standby: 'on' };

async function query<Row extends object>({ url }: EmbeddedPostgres, text: string): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows[0];
  } finally {
    await client.end();
  }
}

/** A primary PostgreSQL server and its streaming standby, which can change their roles. */
export class DatabasePair {
  private constructor(
    private readonly folder: string,
    private primary: EmbeddedPostgres & { dataDir: string },
    private standby: EmbeddedPostgres & { dataDir: string },
  ) {}

  static async open(): Promise<DatabasePair> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-pair-'));
    // PostgreSQL runs as another user than root.
    await chmod(folder, 0o755);
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const empty = await startEmbeddedPostgres({ dataDir: first, settings });
    // A copy of a stopped server is the base of its standby.
    await empty.stop();
    await cp(first, second, { recursive: true, preserveTimestamps: true });
    await rm(join(second, 'postgres', 'server.json'));
    const primary = await startEmbeddedPostgres({ dataDir: first, settings });
    const standby = await startStandby(second, primary);
    return new DatabasePair(folder, { ...primary, dataDir: first }, standby);
  }

  get primaryUrl(): string {
    return this.primary.url;
  }

  get standbyUrl(): string {
    return this.standby.url;
  }

  /** Stops the primary, promotes the standby, and starts the former primary as the standby of the new one. */
  async switchOver(): Promise<void> {
    const [former, promoted] = [this.primary, this.standby];
    await former.stop();
    await query(promoted, 'SELECT pg_promote(wait => true)');
    this.primary = promoted;
    this.standby = await startStandby(former.dataDir, promoted);
  }

  async close(): Promise<void> {
    await this.standby.stop({ immediate: true });
    await this.primary.stop({ immediate: true });
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function startStandby(
  dataDir: string,
  primary: EmbeddedPostgres,
): Promise<EmbeddedPostgres & { dataDir: string }> {
  await writeFile(join(dataDir, 'postgres', 'cluster', 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(primary.url);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  const standby = await startEmbeddedPostgres({
    dataDir,
    settings: { ...settings, primary_conninfo: conninfo },
  });
  await waitUntil('the standby receives the log of the primary', async () => {
    const row = await query<{ status: string }>(standby, 'SELECT status FROM pg_stat_wal_receiver');
    return row?.status === 'streaming';
  });
  return { ...standby, dataDir };
}
