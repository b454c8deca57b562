import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { FormData } from 'undici';
import { UserFacingError } from '../../../prepare/user-facing-error.mjs';
import { cpuSeconds, cpuUse } from '../processes.js';
import type { Site } from '../systems.js';
import { writeLargeExport } from './large-export.js';
import { MemoryWatch } from './memory.js';
import { sendImport } from './requests.js';

/** The variants of an import: the arrangements of the processes. */
type Sites = Readonly<Record<string, Site>>;

interface Figures {
  seconds: number;
  cpuSeconds: number;
  databaseSeconds: number;
  memoryMiB: number;
}

const columns = ['posts/s', 'MB/s', 'CPU ms', 'DB CPU ms', 'MiB above idle'] as const;
const row = (name: string, cells: readonly (string | number)[]) =>
  `  ${name.padEnd(14)}${cells.map((cell) => String(cell).padStart(16)).join('')}`;

/**
 * Imports an export of many posts into each site, and prints posts and megabytes a second, CPU milliseconds a post of
 * the server's processes and of PostgreSQL, and the largest growth of a process. Beside them the same rows by COPY.
 */
export async function measureImports(
  sites: Sites,
  { posts, postmaster }: { posts: number; postmaster: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-import-'));
  try {
    const path = join(folder, 'export.xml');
    const bytes = await writeLargeExport(path, posts);
    console.log(`\nimport: ${posts} posts, ${(bytes / 1e6).toFixed(1)} MB`);
    console.log(row('variant', columns));
    for (const [name, site] of Object.entries(sites)) {
      await prepare(site);
      const figures = await measureImport(site, { path, posts, postmaster });
      console.log(row(name, cellsOf(figures, posts, bytes)));
      const copySeconds = await copyRows(site);
      console.log(
        row(`COPY (${name})`, [Math.round(posts / copySeconds), (bytes / 1e6 / copySeconds).toFixed(1)]),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cellsOf(figures: Figures, posts: number, bytes: number): (string | number)[] {
  const { seconds, cpuSeconds: cpu, databaseSeconds, memoryMiB } = figures;
  return [
    Math.round(posts / seconds),
    (bytes / 1e6 / seconds).toFixed(1),
    ((1000 * cpu) / posts).toFixed(3),
    ((1000 * databaseSeconds) / posts).toFixed(3),
    Math.round(memoryMiB),
  ];
}

async function measureImport(
  site: Site,
  { path, posts, postmaster }: { path: string; posts: number; postmaster: number },
): Promise<Figures> {
  const memory = new MemoryWatch(site.pid);
  const before = [cpuUse(site.pid), cpuUse(postmaster)] as const;
  const start = performance.now();
  const { imported } = await importFile(site, path);
  const seconds = (performance.now() - start) / 1000;
  const after = [cpuUse(site.pid), cpuUse(postmaster)] as const;
  const memoryMiB = memory.stop();
  if (imported !== posts) throw new UserFacingError(`import: ${imported} of ${posts} posts were imported`);
  return {
    seconds,
    cpuSeconds: cpuSeconds(before[0], after[0]),
    databaseSeconds: cpuSeconds(before[1], after[1]),
    memoryMiB,
  };
}

const collection = 'imported_posts';

async function prepare(site: Site): Promise<void> {
  const body = JSON.stringify({ postTypes: [{ name: 'post', collection }] });
  await sendImport(site, 'prepare', { body, contentType: 'application/json' });
}

async function importFile(site: Site, path: string): Promise<{ imported: number }> {
  const form = new FormData();
  form.set('config', JSON.stringify({ postTypeMappings: { post: { collection } } }));
  form.set('file', await openAsBlob(path, { type: 'application/xml' }), 'export.xml');
  return (await sendImport(site, 'execute', { body: form })) as { imported: number };
}

/** Writes the imported rows into a table with the same columns and indexes, by COPY. @returns the seconds */
async function copyRows({ databaseUrl, tenant }: Site): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string; directory: string }>(
      `SELECT schemaname AS schema, current_setting('data_directory') AS directory
       FROM pg_tables WHERE tablename = $1 AND schemaname LIKE '%' || $2 || '%'`,
      [`content_${collection}`, tenant],
    );
    const [found] = rows;
    if (!found) throw new UserFacingError('import: the table of the imported posts is not found');
    const table = `"${found.schema}"."content_${collection}"`;
    const file = `${found.directory}/bench-import.copy`.replaceAll("'", "''");
    await client.query(`COPY ${table} TO '${file}'`);
    await client.query(`CREATE TABLE bench_import_rows (LIKE ${table} INCLUDING ALL)`);
    const start = performance.now();
    await client.query(`COPY bench_import_rows FROM '${file}'`);
    const seconds = (performance.now() - start) / 1000;
    await client.query('DROP TABLE bench_import_rows');
    return seconds;
  } finally {
    await client.end();
  }
}
