import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFile, prepare } from '../import/import.js';
import { costCells, costColumns, measure, row } from '../import/figures.js';
import { writeLargeExport } from '../import/large-export.js';
import { upload } from '../media.js';
import type { Site } from '../systems.js';
import { runCommandLine } from './command-line.js';
import { copyDatabase } from './database-copy.js';

/** The content of a moved site. */
export interface TransferSize {
  posts: number;
  files: number;
}

const fileBytes = 200 * 1024;

/**
 * Moves a site with many posts and media files into an empty site of the same installation by the command line, and
 * prints entries and megabytes a second, CPU milliseconds an entry, and the largest growth of a process. Beside them
 * the tables of the site by COPY, with their indexes, and its media by a copy of the folder.
 * @param sites by arrangement of the processes
 */
export async function measureTransfers(
  sites: Readonly<Record<string, Site>>,
  { size, postmaster }: { size: TransferSize; postmaster: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-transfer-'));
  try {
    console.log(`\ntransfer: ${size.posts} posts, ${size.files} media files of ${fileBytes / 1024} KB`);
    console.log(row('variant', ['entries/s', 'MB/s', ...costColumns]));
    for (const [name, site] of Object.entries(sites)) {
      await fill(site, folder, size);
      const archive = join(folder, `${name}.tar`);
      const exported = await measure(site, postmaster, () =>
        runCommandLine(site, folder, ['site', 'export', archive]),
      );
      const megabytes = (await stat(archive)).size / 1e6;
      const print = (title: string, seconds: number, costs: readonly (string | number)[] = []) =>
        console.log(
          row(title, [Math.round(size.posts / seconds), (megabytes / seconds).toFixed(1), ...costs]),
        );
      print(`export (${name})`, exported.seconds, costCells(exported, size.posts));
      const target = await site.createSite();
      const imported = await measure(site, postmaster, () =>
        runCommandLine(target, folder, ['site', 'import', archive, '--yes']),
      );
      print(`import (${name})`, imported.seconds, costCells(imported, size.posts));
      const tables = await copyDatabase(site);
      const media = await copyMedia(site, folder);
      print('COPY out, media', tables.dump + media);
      print('COPY in, media', tables.restore + media);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(site: Site, folder: string, { posts, files }: TransferSize): Promise<void> {
  const path = join(folder, 'posts.xml');
  await writeLargeExport(path, { posts, bytes: 0 });
  await prepare(site);
  await importFile(site, path, posts);
  for (let index = 0; index < files; index += 1) await upload(site, '/_cms/api/media', fileBytes);
}

/** @returns the seconds of a copy of the site's media */
async function copyMedia({ mediaFolder, tenant }: Site, folder: string): Promise<number> {
  const target = join(folder, 'media');
  const start = performance.now();
  await cp(join(mediaFolder, tenant), target, { recursive: true });
  const seconds = (performance.now() - start) / 1000;
  await rm(target, { recursive: true });
  return seconds;
}
