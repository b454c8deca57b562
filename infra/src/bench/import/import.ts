import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { FormData } from 'undici';
import { UserFacingError } from '../../../prepare/user-facing-error.mjs';
import type { Site } from '../systems.js';
import { costCells, costColumns, measure, row } from './figures.js';
import { writeLargeExport } from './large-export.js';
import { sendImport } from './requests.js';

/** The size of an import. */
export interface ImportSize {
  posts: number;
  /** Bytes of the export, whose posts are lengthened for it; 0 for posts as they are. */
  bytes: number;
}

/**
 * Imports an export of many posts into each site, and prints posts and megabytes a second, CPU milliseconds a post of
 * the server's processes and of PostgreSQL, and the largest growth of a process. Beside them the same rows by COPY.
 * @param sites by arrangement of the processes
 */
export async function measureImports(
  sites: Readonly<Record<string, Site>>,
  { size, postmaster }: { size: ImportSize; postmaster: number },
): Promise<void> {
  const { posts } = size;
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-import-'));
  try {
    const path = join(folder, 'export.xml');
    const megabytes = (await writeLargeExport(path, size)) / 1e6;
    const rates = (seconds: number) => [Math.round(posts / seconds), (megabytes / seconds).toFixed(1)];
    console.log(`\nimport: ${posts} posts, ${megabytes.toFixed(1)} MB`);
    console.log(row('variant', ['posts/s', 'MB/s', ...costColumns]));
    for (const [name, site] of Object.entries(sites)) {
      await prepare(site);
      const figures = await measure(site, postmaster, () => importFile(site, path, posts));
      console.log(row(name, [...rates(figures.seconds), ...costCells(figures, posts)]));
      console.log(row(`COPY (${name})`, rates(await copyRows(site))));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const collection = 'imported_posts';

/** Creates the collection of the imported posts. */
export async function prepare(site: Site): Promise<void> {
  const body = JSON.stringify({ postTypes: [{ name: 'post', collection }] });
  await sendImport(site, 'prepare', { body, contentType: 'application/json' });
}

/** Imports an export of posts. */
export async function importFile(site: Site, path: string, posts: number): Promise<void> {
  const form = new FormData();
  form.set('config', JSON.stringify({ postTypeMappings: { post: { collection } } }));
  form.set('file', await openAsBlob(path, { type: 'application/xml' }), 'export.xml');
  const { imported } = (await sendImport(site, 'execute', { body: form })) as { imported: number };
  if (imported !== posts) throw new UserFacingError(`import: ${imported} of ${posts} posts were imported`);
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
