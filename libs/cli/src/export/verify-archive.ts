import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { manifestPath, packageFileAt, packageLimits } from '@quire/site-package';
import { extract, type Header } from 'tar-stream';
import { CommandError, messageOf } from '../command-error.js';
import type { Output } from '../terminal/output.js';
import { progressOfBytes } from './byte-progress.js';
import { damaged, PackageCheck, type PackageSummary } from './package-check.js';

type Entry = AsyncIterable<unknown> & { header: Header };

/** More than the longest line of an index. */
const maxIndexLine = 1_000;

/**
 * Reads an archive and verifies that it is the package of the site: its manifest has the digest, and every file has the
 * size and the SHA-256 of the index.
 * @param options.packageDigest that the site has for the package
 * @throws CommandError for an archive that is damaged; the reason of the signal
 */
export async function verifyArchive(
  path: string,
  { packageDigest, output, signal }: { packageDigest: string; output: Output; signal: AbortSignal },
): Promise<PackageSummary> {
  const check = new PackageCheck();
  const archive = extract();
  const total = (await stat(path)).size;
  const reading = pipeline(countBytes(path, { total, output }), archive, { signal });
  try {
    for await (const entry of archive) await addEntry(check, entry);
    await reading;
  } catch (error) {
    await reading.catch(() => undefined);
    signal.throwIfAborted();
    if (error instanceof CommandError) throw error;
    throw damaged(messageOf(error));
  }
  return check.finish(packageDigest);
}

async function* countBytes(
  path: string,
  { total, output }: { total: number; output: Output },
): AsyncGenerator<Buffer> {
  let current = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    yield chunk;
    current += chunk.length;
    output.progress('verify', progressOfBytes({ current, total }));
  }
}

async function addEntry(check: PackageCheck, entry: Entry): Promise<void> {
  const { name: path, type, size: bytes } = entry.header;
  if (type !== 'file') throw damaged(`'${path}' is not a file`);
  const hash = createHash('sha256');
  const chunks = hashChunks(entry, hash);
  if (path === manifestPath) return check.addManifest(await readManifest(chunks));
  if (packageFileAt(path)?.type === 'index') await addIndex(check, chunks);
  else while (!(await chunks.next()).done);
  check.addFile({ path, bytes, sha256: hash.digest('hex') });
}

async function* hashChunks(entry: Entry, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}

async function readManifest(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > packageLimits.manifestBytes) throw damaged('its manifest.json is too large');
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}

async function addIndex(check: PackageCheck, chunks: AsyncIterable<Buffer>): Promise<void> {
  let rest = '';
  for await (const chunk of chunks) {
    // The schema of a line allows no character beyond ASCII.
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxIndexLine) throw damaged('its index has a line that is too long');
    for (const line of lines) check.addIndexLine(line);
  }
  if (rest !== '') check.addIndexLine(rest);
}
