import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.js';
import type { Closers } from './systems.js';

/** The PostgreSQL of a run. */
export interface BenchDatabase {
  /** Of a superuser. */
  url: string;
  /** The process of the server. */
  postmaster: number;
  version: string;
}

/** Does some work with a connection. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Does the database's maintenance, so that it does not run during a round. */
export const vacuum = (url: string) => withClient(url, (client) => client.query('VACUUM ANALYZE'));

/** Starts a PostgreSQL with its data in a folder. */
export async function openDatabase(folder: string, closers: Closers): Promise<BenchDatabase> {
  // A whole run opens six systems.
  const settings = { shared_preload_libraries: 'pg_stat_statements', max_connections: '400' };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings });
  // its data are deleted
  closers.push(() => postgres.stop({ immediate: true }));
  const { url } = postgres;
  return withClient(url, async (client) => {
    const show = async (name: string) =>
      (await client.query<Record<string, string>>(`SHOW ${name}`)).rows[0]?.[name] ?? '';
    await client.query("ALTER SYSTEM SET pg_stat_statements.track = 'none'");
    await client.query('SELECT pg_reload_conf()');
    const pidFile = readFileSync(join(await show('data_directory'), 'postmaster.pid'), 'utf8');
    return { url, postmaster: Number(pidFile.split('\n', 1)[0]), version: await show('server_version') };
  });
}

/** Creates a database on the server. @returns its address */
export async function createDatabase(url: string, name: string): Promise<string> {
  await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
