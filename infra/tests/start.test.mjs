import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitForExit, identifyProcess, isAlive } from '../prepare/process-identity.mjs';
import {
  asksForPassword,
  launch,
  portPair,
  postmasterPid,
  fakeCms,
  fakeStart,
  temporaryFolder,
  until,
} from './harness.mjs';

/** A data dir with the environment to start the fake on it. */
async function site(t, extra = {}) {
  const dataDir = temporaryFolder(t);
  const env = { CMS_DATA_DIR: dataDir, FAKE_LOG: join(dataDir, 'fake.log'), ...(await portPair()), ...extra };
  const notes = () => (existsSync(env.FAKE_LOG) ? readFileSync(env.FAKE_LOG, 'utf8').trim().split('\n') : []);
  const starts = () =>
    notes()
      .filter((line) => line.startsWith('start '))
      .map((line) => {
        const [, targets, pid, port, url, secret] = line.split(' ');
        return { targets, pid: Number(pid), port, url, secret };
      });
  return { dataDir, env, notes, starts };
}

const readyLine = (port) => `Quire is ready: http://localhost:${port}/_cms/admin`;
const ready = /^Quire is ready: /m;

/** Every process that a start made is gone and the database too. */
async function assertNothingLeft({ starts, dataDir }) {
  for (const { pid } of starts()) {
    const identity = identifyProcess(pid);
    assert.ok(!identity || (await waitForExit(identity, 2_000)), `process ${pid} lives`);
  }
  assert.equal(postmasterPid(dataDir), undefined);
  assert.deepEqual(readdirSync(join(dataDir, 'run')), []);
}

test('all targets run in two processes; Ctrl-C ends with 0 and leaves nothing', async (t) => {
  const quire = await site(t);
  const program = launch(t, fakeStart, [], quire);
  await program.prints(ready);
  assert.equal(program.stdout.trim().split('\n').at(-1), readyLine(quire.env.PORT));
  const [api, worker] = quire
    .starts()
    .sort((a, b) => a.targets.localeCompare(b.targets))
    .reverse();
  assert.deepEqual([api.targets, api.port], ['gateway,auth,content', quire.env.PORT]);
  assert.deepEqual([worker.targets, worker.port], ['content-worker', quire.env.CMS_WORKER_PORT]);
  assert.equal(api.url, worker.url);
  assert.match(api.secret, /^[0-9a-f]{64}$/);
  assert.equal(api.secret, worker.secret);
  assert.equal(statSync(join(quire.dataDir, 'internal-secret')).mode & 0o777, 0o600);
  // the worker loads its modules while the API process migrates the database
  const steps = quire.notes().filter((line) => !line.startsWith('start '));
  assert.deepEqual(steps, ['migrate gateway,auth,content', 'go on content-worker']);
  program.child.kill('SIGINT');
  assert.deepEqual(await program.ended, { code: 0, signal: null });
  assert.equal(program.stdout.trim().split('\n').at(-1), 'Quire has stopped.');
  assert.equal(quire.notes().filter((line) => line.includes('SIGTERM')).length, 2);
  await assertNothingLeft(quire);
});

test('targets started one by one share database and secret', async (t) => {
  const quire = await site(t, { CMS_PUBLIC_URL: 'https://example.org/' });
  const one = launch(t, fakeStart, ['--target', 'content'], quire);
  const other = launch(t, fakeStart, ['--target=gateway,auth'], {
    env: { ...quire.env, PORT: quire.env.CMS_WORKER_PORT },
  });
  await Promise.all([one.prints(ready), other.prints(ready)]);
  assert.match(one.stdout, /^Quire is ready: https:\/\/example\.org\/_cms\/admin$/m);
  const [first, second] = quire.starts();
  assert.deepEqual([first.targets, second.targets].sort(), ['content', 'gateway,auth']);
  assert.deepEqual([first.url, first.secret], [second.url, second.secret]);
  for (const program of [one, other]) {
    assert.ok(await asksForPassword(first.url));
    program.child.kill('SIGTERM');
    assert.equal((await program.ended).code, 0);
  }
  await assertNothingLeft(quire);
});

test('a site that waits for its first user has its setup link printed before the ready line', async (t) => {
  const link = 'https://example.org/_cms/admin/setup?token=secret';
  const reachable = { CMS_PUBLIC_URL: 'https://example.org', FAKE_SETUP_LINK: link };
  const cases = [
    [reachable, [], true],
    [reachable, ['--target', 'gateway,auth'], true],
    [reachable, ['--target', 'content'], false],
    [{ ...reachable, FAKE_SETUP_LINK: '' }, [], false],
    [{ FAKE_SETUP_LINK: link }, [], false],
  ];
  for (const [extra, args, isPrinted] of cases) {
    const quire = await site(t, extra);
    const program = launch(t, fakeStart, args, quire);
    await program.prints(ready);
    const lines = program.stdout.trim().split('\n');
    assert.match(lines.at(-1), ready);
    assert.equal(lines.at(-2) === `Set up the site: ${link}`, isPrinted, program.stdout);
    assert.equal(program.stdout.includes(link), isPrinted);
    program.child.kill('SIGTERM');
    await program.ended;
  }
});

test('a process that dies is started again, with one line', async (t) => {
  const quire = await site(t);
  const program = launch(t, fakeStart, [], quire);
  await program.prints(ready);
  const before = quire.starts().find(({ targets }) => targets === 'content-worker').pid;
  process.kill(before, 'SIGKILL');
  await until(
    () => quire.starts().filter(({ targets }) => targets === 'content-worker').length === 2,
    'the worker is back',
  );
  assert.match(program.stdout, /^The worker process ended \(signal SIGKILL\); starting it again in 1 s\.$/m);
  assert.equal(quire.notes().filter((line) => line === 'go on content-worker').length, 1);
  program.child.kill('SIGTERM');
  await program.ended;
  await assertNothingLeft(quire);
});

test('the database and the secret may be given as files', async (t) => {
  const file = join(temporaryFolder(t), 'url');
  writeFileSync(file, 'postgres://operator@db.example/quire\n');
  const quire = await site(t, { DATABASE_URL_FILE: file, CMS_INTERNAL_SECRET_FILE: '/run/secrets/internal' });
  const program = launch(t, fakeStart, [], quire);
  await program.prints(ready);
  const given = quire.starts().map(({ url, secret }) => [url, secret]);
  assert.deepEqual(given, Array(2).fill(['postgres://operator@db.example/quire', 'undefined']));
  assert.ok(!existsSync(join(quire.dataDir, 'internal-secret')));
  program.child.kill('SIGTERM');
  await program.ended;
});

test('a start-up failure prints one line and exits with code 1', async (t) => {
  const busy = createServer();
  const busyPort = await new Promise((resolve) => busy.listen(0, () => resolve(busy.address().port)));
  t.after(() => busy.close());
  const cases = [
    [{ FAKE_FAILED: 'content-worker' }, [], /^CMS_MAIL_FROM: is no address$/],
    [{ FAKE_CRASH: 'content-worker' }, [], /^The worker process ended \(exit code 7\) before it was ready/],
    [{ FAKE_MIGRATION: 'fails' }, [], /^DATABASE_URL: no server answers at 127\.0\.0\.1:1$/],
    [
      { PORT: String(busyPort) },
      [],
      new RegExp(`^Port ${busyPort} is in use by another program: .* PORT=${busyPort + 100}\\.$`),
    ],
    [{ PORT: 'abc' }, [], /^PORT must be a port number from 0 to 65535, not "abc"\.$/],
    [
      { PORT: '65535', CMS_WORKER_PORT: '' },
      [],
      /^The worker process needs port 65536, which does not exist: set CMS_WORKER_PORT\.$/,
    ],
    [{ DATABASE_URL: 'mysql://x' }, [], /^DATABASE_URL must be an address that begins with postgres:\/\//],
    [{ DATABASE_URL_FILE: '/absent/url' }, [], /^DATABASE_URL_FILE: there is no file \/absent\/url\.$/],
    [{ CMS_PUBLIC_URL: 'example.org' }, [], /^CMS_PUBLIC_URL must be an address/],
    [
      {},
      ['--target', 'nix'],
      /^Unknown target nix: choose all, or one or more of gateway, auth, content, content-worker\.$/,
    ],
    [
      { CMS_DATA_DIR: '/dev/null/data' },
      [],
      /^\/dev\/null\S* is not a folder, or one of the folders above it is a file/,
    ],
  ];
  for (const [extra, args, line] of cases) {
    const quire = await site(t, extra);
    const program = launch(t, fakeStart, args, quire);
    assert.equal((await program.ended).code, 1, program.stdout);
    assert.match(program.stderr.trim(), line);
    assert.doesNotMatch(program.stdout, ready);
    assert.equal(postmasterPid(quire.dataDir), undefined);
  }
});

test('after SIGKILL of the supervisor the next start goes on, even when its processes hang', async (t) => {
  const quire = await site(t, { FAKE_HANG: '' });
  const killed = launch(t, fakeStart, [], quire);
  await killed.prints(ready);
  killed.child.kill('SIGKILL');
  // its processes hold its pipes as long as they live: that the pipes close says they stopped by themselves
  await killed.ended;
  assert.equal(quire.notes().filter((line) => line.endsWith('disconnect')).length, 2);
  assert.ok(postmasterPid(quire.dataDir), 'the database lives on and is adopted');
  const hanging = launch(t, fakeStart, [], { env: { ...quire.env, FAKE_HANG: 'yes' } });
  await hanging.prints(ready);
  hanging.child.kill('SIGKILL');
  await hanging.exited;
  const old = quire
    .starts()
    .slice(2)
    .map(({ pid }) => identifyProcess(pid));
  assert.ok(old.every(isAlive), 'the hanging processes live');
  const next = launch(t, fakeStart, [], quire);
  await until(() => ready.test(next.stdout) || next.stderr, 'the next start', 60_000);
  assert.equal(next.stderr, '');
  assert.ok(!old.some(isAlive), 'and were ended by the next start');
  next.child.kill('SIGINT');
  assert.equal((await next.ended).code, 0);
  await assertNothingLeft(quire);
});

test('a second Ctrl-C kills processes that do not stop', async (t) => {
  const quire = await site(t, { FAKE_HANG: 'yes' });
  const program = launch(t, fakeStart, [], quire);
  await program.prints(ready);
  const began = Date.now();
  program.child.kill('SIGINT');
  setTimeout(() => program.child.kill('SIGINT'), 1_000);
  assert.equal((await program.ended).code, 0);
  assert.ok(Date.now() - began < 8_000);
  for (const { pid } of quire.starts()) assert.equal(identifyProcess(pid), undefined);
});

test('a second start on the same port says who holds it', async (t) => {
  const quire = await site(t);
  const program = launch(t, fakeStart, [], quire);
  await program.prints(ready);
  const second = launch(t, fakeStart, [], quire);
  assert.equal((await second.ended).code, 1);
  assert.equal(
    second.stderr.trim(),
    `Quire runs already on port ${quire.env.PORT} (process ${program.child.pid}): stop it first, or choose another port, for example PORT=${Number(quire.env.PORT) + 100}.`,
  );
  program.child.kill('SIGTERM');
  await program.ended;
  await assertNothingLeft(quire);
});

test('cms works beside a running Quire and on its own, and passes output and exit code through', async (t) => {
  const quire = await site(t);
  const alone = launch(t, fakeCms, ['echo', 'a token'], quire);
  assert.equal((await alone.ended).code, 0);
  assert.equal(alone.stdout, 'a token\n');
  assert.deepEqual(
    quire.notes().map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['cms migrate', 'cms echo'],
  );
  assert.equal(postmasterPid(quire.dataDir), undefined);
  const program = launch(t, fakeStart, [], quire);
  await program.prints(ready);
  const beside = launch(t, fakeCms, ['fail'], quire);
  assert.equal((await beside.ended).code, 3);
  assert.equal(beside.stdout, '');
  assert.equal(beside.stderr, 'No such tenant.\n');
  assert.ok(await asksForPassword(quire.starts()[0].url));
  program.child.kill('SIGTERM');
  await program.ended;
  await assertNothingLeft(quire);
});
