import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openFakeSite, sendError, type FakeSite } from '../fake-site.fixture.js';
import { runCommand, type CommandResult, type RunOptions } from '../run-command.fixture.js';
import { staleLockMs } from '../sites/file-lock.js';
import {
  archiveOf,
  examplePackage,
  sendArchive,
  serveExport,
  type FakeExport,
} from './fake-export.fixture.js';

let site: FakeSite;
let fake: FakeExport;
let folder: string;
let file: string;

beforeEach(async () => {
  site = await openFakeSite();
  folder = await mkdtemp(join(tmpdir(), 'quire-cli-export-'));
  file = join(folder, 'site.tar');
  fake = await serveExport(site, `${file}.part`);
});
afterEach(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const run = (args: string[] = [], options: Partial<RunOptions> = {}) =>
  runCommand(['site', 'export', file, ...args], {
    configFolder: folder,
    siteUrl: site.origin,
    token: 'personal',
    ...options,
  });
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

describe('cms site export', () => {
  it('takes the steps, downloads and verifies the archive, and leaves only the file', async () => {
    const { exitCode, stdout, stderr, delays } = await run();
    const [mediaBytes, size] = [200_000, fake.archive.length];
    expect([exitCode, stdout]).toEqual([
      0,
      `${file}: 3 records, 1 media files, ${size} bytes\n${fake.packageDigest}\n`,
    ]);
    expect(size).toBeGreaterThan(mediaBytes);
    expect(stderr).toMatch(
      /^export 60 %\nexport 100 %\n(?:download \d+ %\n)*download 100 %\nverify 100 %\n$/,
    );
    expect(delays).toEqual([100]);
    expect(await readFile(file)).toEqual(fake.archive);
    expect(await readdir(folder)).toEqual(['site.tar']);
  });

  it('waits no longer than until the worker of the site has taken the last step', async () => {
    Object.assign(fake, { delayMs: 1000, readStates: ['running', 'complete'] });
    const { exitCode, delays } = await run();
    expect([exitCode, delays]).toEqual([0, [100, 100]]);
  });

  it('prints JSON lines with --json', async () => {
    const { stdout, stderr } = await run(['--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(stderr).toBe('');
    expect(lines[0]).toEqual({ type: 'progress', phase: 'export', current: 2, total: 3 });
    expect(lines.at(-1)).toEqual({
      type: 'result',
      site: site.origin,
      file,
      bytes: fake.archive.length,
      exportId: 'export-1',
      records: 3,
      media: { count: 1, bytes: 200_000 },
      packageDigest: fake.packageDigest,
    });
  });

  it('exports without comments with --no-comments', async () => {
    const bodies: string[] = [];
    site.on('POST /_cms/api/admin/transfer/exports', ({ body }, response) => {
      bodies.push(body);
      sendError(response, 403, 'INSUFFICIENT_PERMISSIONS');
    });
    const { exitCode, stderr } = await run(['--no-comments']);
    expect([exitCode, bodies, await readdir(folder)]).toEqual([1, ['{"comments":false}'], []]);
    expect(stderr).toBe(
      `Your role at ${site.origin} does not allow this (the message of INSUFFICIENT_PERMISSIONS): ask an Admin\n`,
    );
  });

  it('continues after each broken connection with the next byte', async () => {
    fake.cuts = [50_000, 70_000, 0];
    const { exitCode } = await run();
    const offsets = fake.ranges.map((range) => Number(/\d+/.exec(range ?? '0')?.[0]));
    expect([exitCode, offsets]).toEqual([0, [0, 50_000, 120_000, 120_000]]);
    expect(await readFile(file)).toEqual(fake.archive);
  });

  it('starts the download over when the archive has changed', async () => {
    const original = fake.archive;
    fake.archive = Buffer.from(original).fill(0, 0, 512);
    fake.cuts = [50_000];
    fake.beforeDownload = (number) => {
      if (number === 2) Object.assign(fake, { archive: original, etag: '"2"' });
    };
    const { exitCode, stderr } = await run();
    expect([exitCode, fake.ranges]).toEqual([0, [undefined, 'bytes=50000-']]);
    expect(stderr).toContain('The archive has changed; the download starts over\n');
    expect(await readFile(file)).toEqual(original);
  });

  it('gives up after several failures without progress, and continues with the same command', async () => {
    fake.cuts = [50_000, ...Array.from({ length: 20 }, () => 0)];
    const { exitCode, stderr, delays } = await run();
    expect([exitCode, lastLine(stderr)]).toEqual([
      1,
      `The connection to ${site.origin} broke: run the same command again to continue`,
    ]);
    expect(delays).toEqual([100, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect((await readdir(folder)).sort()).toEqual(['site.tar.part', 'site.tar.part.json']);
    fake.cuts = [];
    expect((await run()).exitCode).toBe(0);
    expect([fake.keys.length, fake.ranges.at(-1)]).toEqual([1, 'bytes=50000-']);
    expect(await readdir(folder)).toEqual(['site.tar']);
  });

  it('exits with 130 when it is interrupted, and continues the export with the same command', async () => {
    const stopping = new AbortController();
    fake.cuts = [50_000];
    fake.beforeDownload = (number) => {
      if (number === 2) stopping.abort();
    };
    const { exitCode, stderr } = await run([], { signal: stopping.signal });
    expect([exitCode, lastLine(stderr)]).toEqual([130, 'Interrupted; the same command continues the export']);
    expect((await run()).exitCode).toBe(0);
    expect(fake.keys).toHaveLength(1);
    expect(await readFile(file)).toEqual(fake.archive);
  });

  it('repeats the start with the same key when its response was lost', async () => {
    site.on('POST /_cms/api/admin/transfer/exports', ({ headers }, response) => {
      fake.keys.push(String(headers['idempotency-key']));
      response.destroy();
    });
    expect((await run()).exitCode).toBe(1);
    expect(fake.keys).toHaveLength(8);
    expect(new Set(fake.keys).size).toBe(1);
    const { keys } = fake;
    fake = await serveExport(site, `${file}.part`);
    expect((await run()).exitCode).toBe(0);
    expect(new Set([...keys, ...fake.keys]).size).toBe(1);
  });

  it('repeats steps after conflicts and server errors, as late as the site asks', async () => {
    fake.failures = [
      { status: 409, code: 'TRANSFER_LEASE_ACTIVE' },
      { status: 503, code: 'NOT_READY' },
    ];
    const { exitCode, delays } = await run();
    expect([exitCode, delays]).toEqual([0, [1000, 2000, 100]]);
  });

  it('starts another export when the site has deleted the earlier one', async () => {
    fake.cuts = Array.from({ length: 20 }, () => 0);
    await run();
    fake.cuts = [];
    fake.failures = [{ status: 410, code: 'TRANSFER_EXPIRED' }];
    const { exitCode, stderr } = await run();
    expect([exitCode, new Set(fake.keys).size]).toEqual([0, 2]);
    expect(stderr).toContain('The site has deleted the earlier export; another one begins\n');
  });

  it('reports a failed export, and begins with another one the next time', async () => {
    fake.state = 'failed';
    const { exitCode, stderr } = await run();
    expect([exitCode, lastLine(stderr)]).toEqual([
      1,
      'The export has failed at the site (TRANSFER_EXPORT_STALLED): run the command again',
    ]);
    expect(await readdir(folder)).toEqual([]);
    fake.state = 'complete';
    expect((await run()).exitCode).toBe(0);
    expect(new Set(fake.keys).size).toBe(2);
  });

  it('replaces an existing file only with --force', async () => {
    await writeFile(file, 'mine');
    const { exitCode, stderr } = await run();
    expect([exitCode, stderr]).toEqual([
      1,
      `${file} exists: name another file, or replace it with --force\n`,
    ]);
    expect([await readFile(file, 'utf8'), site.calls]).toEqual(['mine', []]);
    expect((await run(['--force'])).exitCode).toBe(0);
    expect(await readFile(file)).toEqual(fake.archive);
  });

  it('continues no export with other options', async () => {
    fake.cuts = Array.from({ length: 20 }, () => 0);
    await run();
    const { exitCode, stderr } = await run(['--no-comments']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${file}.part is of an export of ${site.origin} with comments: delete it`);
  });

  it('exports into a file one command at a time', async () => {
    let second: Promise<CommandResult> | undefined;
    // The download goes on when the other command has ended.
    site.on('GET /_cms/api/admin/transfer/exports/export-1/archive', ({ headers }, response) => {
      second ??= run();
      void second.then(() => sendArchive(fake, `${file}.part`, { headers, response }));
    });
    const first = await run();
    expect([first.exitCode, await readFile(file)]).toEqual([0, fake.archive]);
    const { exitCode, stderr } = (await second)!;
    expect([exitCode, stderr]).toEqual([
      1,
      `Another command is exporting into ${file}: wait for its end, or name another file\n`,
    ]);
    expect([fake.keys.length, await readdir(folder)]).toEqual([1, ['site.tar']]);
  });

  it('continues after a command that was killed, whose lock is left behind', async () => {
    fake.cuts = [50_000, ...Array.from({ length: 20 }, () => 0)];
    await run();
    fake.cuts = [];
    const lock = `${file}.part.lock`;
    await writeFile(lock, 'the killed process');
    const time = (Date.now() - 2 * staleLockMs) / 1000;
    await utimes(lock, time, time);
    expect([(await run()).exitCode, fake.keys.length]).toEqual([0, 1]);
    expect([await readFile(file), await readdir(folder)]).toEqual([fake.archive, ['site.tar']]);
  });

  it('reports a missing folder', async () => {
    const args = ['site', 'export', join(folder, 'missing/site.tar')];
    const { stderr } = await runCommand(args, { configFolder: folder, siteUrl: site.origin, token: 't' });
    expect(stderr).toBe(`There is no folder ${join(folder, 'missing')}\n`);
  });

  it('reports a full disk at once, without another attempt', async () => {
    await symlink('/dev/full', `${file}.part`);
    const state = { site: site.origin, comments: true, idempotencyKey: 'key', exportId: 'export-1' };
    const archive = { etag: fake.etag, size: fake.archive.length };
    await writeFile(`${file}.part.json`, JSON.stringify({ ...state, archive }));
    fake.keys = ['key'];
    const { exitCode, stderr } = await run();
    expect([exitCode, lastLine(stderr), fake.ranges.length]).toEqual([
      1,
      'The disk is full: make space, then run the same command again to continue',
      1,
    ]);
  });
});

describe('the archive', () => {
  const [manifest, index, records, media] = examplePackage() as [never, never, never, never];
  const withBytes = (damagedFile: { path: string; bytes: Buffer }) => ({
    path: damagedFile.path,
    bytes: Buffer.concat([damagedFile.bytes.subarray(1), Buffer.from('x')]),
  });

  it.each([
    [
      'a manifest with another digest',
      [withBytes(manifest), index, records, media],
      'the digest of its manifest.json',
    ],
    ['no manifest', [index, records, media], 'it has no manifest.json'],
    [
      'other records',
      [manifest, index, withBytes(records), media],
      'records/redirects/000001.ndjson has other bytes',
    ],
    ['missing records', [manifest, index, media], 'records/redirects/000001.ndjson is missing'],
    ['a missing index', [manifest, records, media], 'index/000001.ndjson is missing'],
    ['other media', [manifest, index, records, withBytes(media)], 'has other bytes than its name says'],
    ['missing media', [manifest, index, records], 'it has other media files than its index'],
    ['repeated media', [manifest, index, records, media, media], 'it has other media files than its index'],
    [
      'a file that is not declared',
      [manifest, index, records, media, { path: 'records/menus/000001.ndjson', bytes: Buffer.from('{}\n') }],
      'it has files that its index does not declare',
    ],
    [
      'a path outside the package',
      [manifest, index, records, media, { path: '../evil', bytes: Buffer.from('x') }],
      "it has the file '../evil', which no package has",
    ],
  ])('with %s is reported, and downloaded again by the next command', async (_, files, message) => {
    const { archive } = fake;
    fake.archive = await archiveOf(files);
    const { exitCode, stderr } = await run();
    expect(exitCode).toBe(1);
    expect(lastLine(stderr)).toMatch(/^The archive is damaged: /);
    expect(stderr).toContain(message);
    expect((await readdir(folder)).sort()).toEqual(['site.tar.part', 'site.tar.part.json']);
    Object.assign(fake, { archive, etag: '"2"' });
    expect((await run()).exitCode).toBe(0);
  });

  it('that ends too early is reported', async () => {
    fake.archive = fake.archive.subarray(0, 100_000);
    const { exitCode, stderr } = await run();
    expect(exitCode).toBe(1);
    expect(lastLine(stderr)).toContain('The archive is damaged: ');
  });
});
