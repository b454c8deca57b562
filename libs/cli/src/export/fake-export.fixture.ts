import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { digestOf, indexPath, manifestPath, mediaPath, recordsPath, sha256Of } from '@quire/site-package';
import { pack } from 'tar-stream';
import { sendError, sendJson, type FakeSite } from '../fake-site.fixture.js';

/** A file of a package. */
export interface FakeFile {
  path: string;
  bytes: Buffer;
}

/** A small package: 3 records, and a media file that no compression makes smaller. */
export function examplePackage(mediaBytes = 200_000): FakeFile[] {
  const media = Buffer.concat(
    Array.from({ length: Math.ceil(mediaBytes / 32) }, (_, index) =>
      createHash('sha256').update(String(index)).digest(),
    ),
  );
  const records = Buffer.from('{"id":"1"}\n{"id":"2"}\n{"id":"3"}\n');
  const files = [
    { path: recordsPath('redirects', 1), bytes: records },
    { path: mediaPath(sha256Of(media)), bytes: media },
  ];
  const index = { path: indexPath(1), bytes: Buffer.from(files.map((file) => `${lineOf(file)}\n`).join('')) };
  const manifest = {
    formatVersion: '1',
    packageId: 'package-1',
    siteId: 'site-1',
    createdAt: '2026-11-23T00:00:00.000Z',
    createdBy: { name: 'spec', version: '1' },
    features: [],
    optionalFeatures: [],
    counts: { redirects: 3 },
    media: { count: 1, bytes: media.length },
    records: { count: 1, bytes: records.length },
    logicalDigest: digestOf('records'),
    index: [JSON.parse(lineOf(index)) as object],
  };
  return [{ path: manifestPath, bytes: Buffer.from(JSON.stringify(manifest)) }, index, ...files];
}

function lineOf({ path, bytes }: FakeFile): string {
  return JSON.stringify({ path, bytes: bytes.length, sha256: sha256Of(bytes) });
}

/** The files as a tar archive. */
export async function archiveOf(files: readonly FakeFile[]): Promise<Buffer> {
  const archive = pack();
  for (const { path, bytes } of files) archive.entry({ name: path }, bytes);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** An export of a fake site. */
export interface FakeExport {
  archive: Buffer;
  etag: string;
  packageDigest: string;
  /** Bytes after which the connection of each download is cut, once the file has them. */
  cuts: number[];
  /** Called with the number of the download, from 1. */
  beforeDownload: (number: number) => void;
  /** Steps that are left. */
  steps: number;
  /** The delay before the request for the next step. */
  delayMs: number;
  /** States that the next reads of the export find: a worker takes steps too. */
  readStates: string[];
  /** What the next steps respond with in place of the export. */
  failures: { status: number; code: string }[];
  state: string;
  /** Idempotency keys of the requests that have started an export. */
  keys: string[];
  /** Range headers of the downloads. */
  ranges: (string | undefined)[];
}

/** Lets a site export a package. */
export async function serveExport(
  site: FakeSite,
  partPath: string,
  files = examplePackage(),
): Promise<FakeExport> {
  const fake: FakeExport = {
    archive: await archiveOf(files),
    etag: '"1"',
    packageDigest: digestOf(files[0]?.bytes ?? ''),
    cuts: [],
    beforeDownload: () => undefined,
    steps: 2,
    delayMs: 100,
    readStates: [],
    failures: [],
    state: 'complete',
    keys: [],
    ranges: [],
  };
  const operation = (state: string) => ({
    id: `export-${new Set(fake.keys).size}`,
    state,
    progress: { done: 3 - fake.steps, total: 3 },
    packageDigest: state === 'complete' ? fake.packageDigest : null,
    errorCode: state === 'failed' ? 'TRANSFER_EXPORT_STALLED' : null,
  });
  site.on('POST /_cms/api/admin/transfer/exports', ({ headers }, response) => {
    fake.keys.push(String(headers['idempotency-key']));
    sendJson(response, { data: { operation: operation('pending'), created: true } }, 201);
  });
  const advance = (response: ServerResponse) => {
    const failure = fake.failures.shift();
    if (failure) return sendError(response, failure.status, failure.code);
    fake.steps -= 1;
    const isLast = fake.steps <= 0;
    const nextRequestInMs = isLast ? null : fake.delayMs;
    sendJson(response, { data: { operation: operation(isLast ? fake.state : 'running'), nextRequestInMs } });
  };
  for (const id of ['export-1', 'export-2']) {
    const path = `/_cms/api/admin/transfer/exports/${id}`;
    site.on(`POST ${path}/advance`, (_, response) => advance(response));
    site.on(`GET ${path}`, (_, response) =>
      sendJson(response, { data: { operation: operation(fake.readStates.shift() ?? 'running') } }),
    );
    site.on(
      `GET ${path}/archive`,
      ({ headers }, response) => void sendArchive(fake, partPath, { headers, response }),
    );
  }
  return fake;
}

/** Sends the archive, or the part that the request names, as far as `cuts` allows. */
export async function sendArchive(
  fake: FakeExport,
  partPath: string,
  { headers, response }: { headers: IncomingHttpHeaders; response: ServerResponse },
): Promise<void> {
  const { range } = headers;
  fake.beforeDownload(fake.ranges.length + 1);
  const { archive, etag } = fake;
  fake.ranges.push(range);
  const wanted = /^bytes=(\d+)-$/.exec(range ?? '')?.[1];
  const isPart = wanted !== undefined && headers['if-range'] === etag;
  const start = isPart ? Number(wanted) : 0;
  const body = archive.subarray(start);
  response.writeHead(isPart ? 206 : 200, {
    etag,
    'content-length': body.length,
    ...(isPart && { 'content-range': `bytes ${start}-${archive.length - 1}/${archive.length}` }),
  });
  const cut = fake.cuts.shift();
  if (cut === undefined) return void response.end(body);
  response.write(body.subarray(0, cut));
  while ((await stat(partPath)).size < start + cut) await new Promise((resolve) => setTimeout(resolve, 5));
  response.destroy();
}
