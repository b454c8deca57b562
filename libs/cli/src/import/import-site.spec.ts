import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifestPath, sha256Of } from '@quire/site-package';
import { archiveOf, examplePackage, type FakeFile } from '../export/fake-export.fixture.js';
import { openFakeSite, type FakeSite } from '../fake-site.fixture.js';
import { runCommand, type RunOptions } from '../run-command.fixture.js';
import { serveImport, type FakeImport } from './fake-import.fixture.js';

let site: FakeSite;
let fake: FakeImport;
let files: FakeFile[];
let folder: string;
let file: string;

beforeEach(async () => {
  site = await openFakeSite();
  folder = await mkdtemp(join(tmpdir(), 'quire-cli-import-'));
  file = join(folder, 'site.tar');
  files = examplePackage();
  fake = serveImport(site, files);
  await writeFile(file, await archiveOf(files));
});
afterEach(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const run = (args: string[], options: Partial<RunOptions> = {}) =>
  runCommand(['site', ...args], {
    configFolder: folder,
    siteUrl: site.origin,
    token: 'personal',
    ...options,
  });
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const digests = () =>
  new Map(
    files.filter(({ path }) => path !== manifestPath).map(({ path, bytes }) => [path, sha256Of(bytes)]),
  );

describe('cms site import', () => {
  it('uploads the package, shows the plan, and imports with --yes', async () => {
    const { exitCode, stdout, stderr } = await run(['import', file, '--yes']);
    expect([exitCode, stdout]).toEqual([
      0,
      `${site.origin}: 3 records imported and verified\nsha256:logical\n`,
    ]);
    expect(fake.uploaded).toEqual(digests());
    expect(stderr).toContain('Package of the site site-1');
    expect(stderr).toContain('Ann <ann@old.example> (p1), 2 records -> no user');
    expect(stderr).toContain("Title: 'The old title', of the package; this site has 'The new title'\n");
    expect(stderr).toContain('Tagline: none, of the package\n');
    expect(stderr).toContain(
      'Changes:\n  collections: 2 deleted, which the site has from its setup\n  entries: 2 imported without their user\n',
    );
    expect(fake.executions).toEqual([{ packageDigest: fake.packageDigest, planDigest: 'sha256:plan' }]);
    expect(fake.analyses).toEqual([{}]);
  });

  it('waits no longer than until the worker of the site has taken the last step', async () => {
    Object.assign(fake, { delayMs: 1000, beforeRead: () => (fake.state = 'complete') });
    const { exitCode, delays } = await run(['import', file, '--yes']);
    expect([exitCode, delays]).toEqual([0, [100]]);
  });

  it('maps users by id and by address, and chooses the title', async () => {
    const args = ['--map', 'ann@old.example=u7', '--title', 'target'];
    const { stderr } = await run(['import', file, '--yes', ...args]);
    expect(stderr).toContain('Ann <ann@old.example> (p1), 2 records -> u7\n');
    expect(stderr).toContain("Title: 'The new title', of this site\n");
    const decisions = { principalMappings: { p1: 'u7' }, siteTitle: 'target' };
    expect(fake.analyses).toEqual([{}, { decisions }]);
  });

  it('rejects a mapping of an unknown user before anything is written', async () => {
    const { exitCode, stderr } = await run(['import', file, '--yes', '--map', 'bob=none']);
    expect([exitCode, lastLine(stderr)]).toEqual([
      1,
      'The package has no user bob: see the plan for its users',
    ]);
    expect(fake.executions).toEqual([]);
  });

  it.each([
    ['without a terminal', undefined, 'Nothing was written: confirm the plan with --yes'],
    ['after a no', false, 'Not confirmed; nothing was written. The same command continues'],
  ])('writes nothing %s', async (_, confirms, message) => {
    const { exitCode, stderr } = await run(['import', file], confirms === undefined ? {} : { confirms });
    expect([exitCode, lastLine(stderr), fake.executions]).toEqual([1, message, []]);
  });

  it('imports after a yes on the terminal, and continues a planned import without uploads', async () => {
    await run(['import', file], { confirms: false });
    const before = site.calls.length;
    const { exitCode, stderr } = await run(['import', file], { confirms: true });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Continuing the import import-1');
    expect(site.calls.slice(before).filter((call) => call.startsWith('PUT'))).toEqual([]);
  });

  it('plans a planned import again, without the choices of the earlier command', async () => {
    await run(['import', file, '--title', 'target']);
    expect((await run(['import', file, '--yes'])).exitCode).toBe(0);
    expect(fake.analyses).toEqual([{}, { decisions: { siteTitle: 'target' } }, {}, { decisions: {} }]);
  });

  it('shows blockers, and ends without writing', async () => {
    fake.blockers = [
      { code: 'target_not_empty', message: 'The site has entries', kind: 'entries', count: 4 },
      { code: 'dangling_reference', message: 'A record is missing', kind: 'entries', id: 'e1', count: 1 },
    ];
    const { exitCode, stderr } = await run(['import', file, '--yes']);
    expect(stderr).toContain(
      'The import cannot run:\n  target_not_empty (entries, 4): The site has entries\n  dangling_reference (entries, first e1, 1): A record is missing\n',
    );
    expect([exitCode, lastLine(stderr), fake.executions]).toEqual([
      1,
      'The package cannot be imported into this site; nothing was written',
      [],
    ]);
  });

  it('repeats uploads and steps after failures of the site', async () => {
    fake.failures = ['PUT', 'PUT', 'analyze', 'execute', 'advance'].map((call) => ({
      call,
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
    }));
    const { exitCode } = await run(['import', file, '--yes']);
    expect([exitCode, fake.failures, fake.uploaded]).toEqual([0, [], digests()]);
  });

  it('ends when the site rejects the bytes of a file', async () => {
    fake.failures = [{ call: 'PUT', status: 422, code: 'TRANSFER_FILE_DIGEST_MISMATCH' }];
    const { exitCode, stderr } = await run(['import', file, '--yes']);
    expect([exitCode, lastLine(stderr)]).toEqual([1, 'the message of TRANSFER_FILE_DIGEST_MISMATCH']);
  });

  it('reports a failed import, which is then abandoned', async () => {
    fake.endState = 'failed';
    const failed = await run(['import', file, '--yes']);
    expect([failed.exitCode, lastLine(failed.stderr)]).toEqual([
      1,
      'The import import-1 has ended as failed (TRANSFER_VERIFICATION_FAILED): remove what it has written with cms site abandon',
    ]);
    const again = await run(['import', file, '--yes']);
    expect(lastLine(again.stderr)).toBe(
      'The import import-1 has ended as failed: run cms site abandon, then this command again',
    );
    const abandoned = await run(['abandon']);
    expect([abandoned.exitCode, abandoned.stdout, fake.state]).toEqual([
      0,
      'Abandoned the import import-1\n',
      'abandoned',
    ]);
  });

  it.each([
    ['a file that is no archive', () => Promise.resolve(Buffer.from('no archive'.repeat(100)))],
    ['an archive of other files', () => archiveOf([{ path: 'readme.txt', bytes: Buffer.from('text') }])],
    ['a package without its manifest at the beginning', () => archiveOf([...examplePackage()].reverse())],
    ['an empty file', () => Promise.resolve(Buffer.alloc(0))],
  ])('rejects %s without a request for an import', async (_, bytes) => {
    await writeFile(file, await bytes());
    const { exitCode, stderr } = await run(['import', file, '--yes']);
    expect(exitCode).toBe(1);
    expect(lastLine(stderr)).toContain('is not a package of a site');
    expect(site.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  it('reports a missing file', async () => {
    const missing = join(folder, 'missing.tar');
    const { exitCode, stderr } = await run(['import', missing, '--yes']);
    expect([exitCode, stderr]).toEqual([1, `There is no file ${missing}\n`]);
  });

  it('names a file that the archive lacks', async () => {
    const [, , records] = files;
    await writeFile(file, await archiveOf(files.filter((each) => each !== records)));
    const { exitCode, stderr } = await run(['import', file, '--yes']);
    expect([exitCode, lastLine(stderr)]).toEqual([1, `${file} is not whole: it lacks ${records?.path}`]);
  });

  it('prints JSON lines with --json, the plan among them', async () => {
    const { stdout, stderr } = await run(['import', file, '--yes', '--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(stderr).toBe('');
    expect(lines.find(({ type }) => type === 'plan')).toMatchObject({ planDigest: 'sha256:plan' });
    expect(lines.at(-1)).toMatchObject({ type: 'result', importId: 'import-1' });
  });
});

describe('cms site abandon', () => {
  it('cancels an import that goes on, and abandons it', async () => {
    await run(['import', file], { confirms: false });
    fake.mutationStartedAt = '2026-11-23T00:00:00.000Z';
    expect((await run(['abandon'])).exitCode).toBe(0);
    expect(site.calls.filter((call) => /cancel|abandon/.test(call))).toHaveLength(2);
  });

  it('reports a site without an import', async () => {
    const { exitCode, stderr } = await run(['abandon']);
    expect([exitCode, stderr]).toEqual([1, `${site.origin} has no import to abandon\n`]);
  });
});
