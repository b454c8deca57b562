import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserFacingError } from '../../../prepare/user-facing-error.mjs';
import type { Site } from '../systems.js';
import { sendImport } from './requests.js';
import { sourceHost } from './source-host.js';
import type { SourceSite } from './source-site.js';

/** Downloads of one host that an import makes at a time. */
const parallelDownloads = 8;

/**
 * Downloads files into a media library. @param first number of the first file
 * @returns the seconds
 */
export async function importFiles(
  site: Site,
  source: SourceSite,
  { first, count }: { first: number; count: number },
): Promise<number> {
  const attachments = Array.from({ length: count }, (_, index) => ({
    url: source.url(sourceHost, first + index),
    filename: `${first + index}.jpg`,
  }));
  const body = JSON.stringify({ attachments, stream: false });
  const start = performance.now();
  const result = await sendImport(site, 'media', { body, contentType: 'application/json' });
  const { imported, failed } = result as { imported: object[]; failed: { error: string }[] };
  if (imported.length < count)
    throw new UserFacingError(`import: ${count - imported.length} downloads failed: ${failed[0]?.error}`);
  return (performance.now() - start) / 1000;
}

/** Downloads files into a folder with curl, as many at a time as an import. @returns the seconds */
export async function curlFiles(source: SourceSite, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-curl-'));
  try {
    const lines = Array.from(
      { length: count },
      (_, index) => `url = "${source.url('127.0.0.1', index)}"\noutput = "${join(folder, String(index))}"\n`,
    );
    const start = performance.now();
    const args = [
      '--parallel',
      '--parallel-max',
      String(parallelDownloads),
      '--silent',
      '--fail',
      '--config',
      '-',
    ];
    const curl = spawn('curl', args, { stdio: ['pipe', 'ignore', 'inherit'] });
    const ended = once(curl, 'close');
    await pipeline(Readable.from(lines), curl.stdin);
    const [code] = (await ended) as [number];
    if (code !== 0) throw new UserFacingError(`curl --parallel exited with ${code}`);
    return (performance.now() - start) / 1000;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
