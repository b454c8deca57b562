import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserFacingError } from '../../../prepare/user-facing-error.mjs';
import type { Site } from '../systems.js';
import { costCells, costColumns, measure, row } from './figures.js';
import { sendImport } from './requests.js';
import { sourceHost } from './source-address.js';
import { SourceSite } from './source-site.js';

/** Downloads of one host that an import makes at a time. */
const parallelDownloads = 8;

/**
 * Downloads files of a site on this machine into each media library, and prints files a second and what they cost;
 * beside them curl, which stores them in a folder.
 * @param sites by arrangement of the processes, which load `source-host.ts`
 */
export async function measureDownloads(
  sites: Readonly<Record<string, Site>>,
  { files, postmaster }: { files: number; postmaster: number },
): Promise<void> {
  const source = await SourceSite.start();
  try {
    const rate = (seconds: number) => Math.round(files / seconds);
    console.log(`\nimport of media: ${files} files`);
    console.log(row('variant', ['files/s', ...costColumns]));
    for (const [name, site] of Object.entries(sites)) {
      const figures = await measure(site, postmaster, () => importFiles(site, source, files));
      console.log(row(name, [rate(figures.seconds), ...costCells(figures, files)]));
    }
    const curlSeconds = await curlFiles(source, files);
    console.log(row('curl --parallel', [curlSeconds === undefined ? 'not installed' : rate(curlSeconds)]));
  } finally {
    source.close();
  }
}

/** Downloads files into a media library. */
async function importFiles(site: Site, source: SourceSite, count: number): Promise<void> {
  const attachments = Array.from({ length: count }, (_, index) => ({
    url: source.url(sourceHost, index),
    filename: `${index}.jpg`,
  }));
  const body = JSON.stringify({ attachments, stream: false });
  const result = await sendImport(site, 'media', { body, contentType: 'application/json' });
  const { imported, failed } = result as { imported: object[]; failed: { error: string }[] };
  if (imported.length < count)
    throw new UserFacingError(`import: ${failed.length} downloads failed: ${failed[0]?.error}`);
}

/** Downloads files into a folder, as many at a time as an import. @returns the seconds; undefined without curl */
async function curlFiles(source: SourceSite, count: number): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-curl-'));
  try {
    const lines = Array.from(
      { length: count },
      (_, index) => `url = "${source.url('127.0.0.1', index)}"\noutput = "${join(folder, String(index))}"\n`,
    );
    const config = join(folder, 'config');
    await writeFile(config, lines.join(''));
    const limits = ['--parallel', '--parallel-max', String(parallelDownloads)];
    const start = performance.now();
    const curl = spawn('curl', [...limits, '--silent', '--fail', '--config', config], { stdio: 'ignore' });
    const [code] = (await once(curl, 'close')) as [number];
    if (code !== 0) throw new UserFacingError(`curl --parallel exited with ${code}`);
    return (performance.now() - start) / 1000;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
