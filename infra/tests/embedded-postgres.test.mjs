import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEmbeddedPostgres } from '../dist/postgres/embedded-postgres.js';
import { waitForExit, identifyProcess } from '../prepare/process-identity.mjs';
import {
  asksForPassword,
  databaseHolder,
  launch,
  postmasterPid,
  temporaryFolder,
  until,
} from './harness.mjs';

const isRoot = process.getuid?.() === 0;
const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0;

/** A holder process and its answer. */
async function hold(t, dataDir, options = {}) {
  const program = launch(t, databaseHolder, [], { ...options, env: { CMS_DATA_DIR: dataDir } });
  await program.prints(/\n/);
  return {
    program,
    ...(program.stdout ? JSON.parse(program.stdout) : { errorOutput: program.stderr.trim() }),
  };
}

async function kill(program, name) {
  program.child.kill(name);
  await program.ended;
}

test('first start creates the database, stop shuts it down, second start reuses it', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startEmbeddedPostgres({ dataDir });
  assert.equal(first.adopted, false);
  assert.ok(await asksForPassword(first.url));
  assert.equal(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777, 0o600);
  const server = identifyProcess(postmasterPid(dataDir));
  await first.stop();
  assert.ok(await waitForExit(server, 0));
  assert.equal(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')), false);
  const second = await startEmbeddedPostgres({ dataDir });
  assert.equal(second.url, first.url, 'port and password stay');
  await second.stop();
});

test('two concurrent processes share one server, and the last release stops it', async (t) => {
  const dataDir = temporaryFolder(t);
  const [one, two] = await Promise.all([hold(t, dataDir), hold(t, dataDir)]);
  assert.equal(one.url, two.url);
  assert.deepEqual([one.adopted, two.adopted].sort(), [false, true]);
  const [starter, adopter] = one.adopted ? [two, one] : [one, two];
  await kill(starter.program, 'SIGTERM');
  assert.ok(await asksForPassword(adopter.url), 'the one that still uses it keeps it');
  await kill(adopter.program, 'SIGTERM');
  assert.equal(postmasterPid(dataDir), undefined);
});

test('after SIGKILL of its user the server is adopted, then stopped', async (t) => {
  const dataDir = temporaryFolder(t);
  const killed = await hold(t, dataDir);
  await kill(killed.program, 'SIGKILL');
  const next = await startEmbeddedPostgres({ dataDir });
  assert.equal(next.adopted, true);
  assert.equal(next.url, killed.url);
  await next.stop();
  assert.equal(postmasterPid(dataDir), undefined);
});

test('after a power cut a stale postmaster.pid does not block, whatever it says', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await startEmbeddedPostgres({ dataDir });
  const pid = postmasterPid(dataDir);
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const text = readFileSync(file, 'utf8');
  await first.stop();
  const stale = {
    'a free pid': text,
    "another program's pid": text.replace(/^\d+/, String(process.pid)),
    empty: '',
  };
  for (const [name, content] of Object.entries(stale)) {
    writeFileSync(file, content);
    const next = await startEmbeddedPostgres({ dataDir });
    assert.equal(next.adopted, false, name);
    assert.notEqual(postmasterPid(dataDir), pid);
    assert.ok(await asksForPassword(next.url), name);
    await next.stop();
  }
});

test('a server that is killed is started again on its port', async (t) => {
  const dataDir = temporaryFolder(t);
  const lines = [];
  const database = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  const before = postmasterPid(dataDir);
  process.kill(before, 'SIGKILL');
  await until(() => postmasterPid(dataDir) !== before && asksForPassword(database.url), 'the server is back');
  assert.ok(lines.includes('The database ended; starting it again.'));
  await database.stop();
  assert.equal(postmasterPid(dataDir), undefined);
});

test('an interrupted initdb is repeated', async (t) => {
  const dataDir = temporaryFolder(t);
  const draft = join(dataDir, 'postgres', 'cluster.new');
  mkdirSync(join(draft, 'base'), { recursive: true });
  writeFileSync(join(draft, 'PG_VERSION'), '18\n');
  const database = await startEmbeddedPostgres({ dataDir });
  assert.equal(existsSync(draft), false);
  await database.stop();
});

test('a damaged database ends in one line that names the folder', async (t) => {
  const dataDir = temporaryFolder(t);
  await (await startEmbeddedPostgres({ dataDir })).stop();
  const cluster = join(dataDir, 'postgres', 'cluster');
  const refuses = (pattern) =>
    assert.rejects(startEmbeddedPostgres({ dataDir }), ({ name, message }) => {
      assert.equal(name, 'UserFacingError');
      assert.match(message, pattern);
      assert.ok(message.includes(cluster) && !message.includes('\n'), message);
      return true;
    });
  rmSync(join(cluster, 'global', 'pg_control'));
  await refuses(/is damaged .*backup/);
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  await refuses(/made by PostgreSQL 17, this Quire brings 18/);
  rmSync(join(cluster, 'PG_VERSION'));
  await refuses(/PG_VERSION is missing/);
});

test(
  'an unprivileged user has a database, and a clear line where it may not write',
  { skip: !(isRoot && hasSetpriv) },
  async (t) => {
    const options = {
      command: 'setpriv',
      before: ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath],
    };
    const dataDir = temporaryFolder(t);
    const refused = await hold(t, dataDir, options);
    assert.match(refused.errorOutput, /^No permission for .*: start as the user who owns it/);
    assert.equal(refused.errorOutput.split('\n').length, 1);
    chmodSync(dataDir, 0o777);
    const allowed = await hold(t, dataDir, options);
    assert.ok(await asksForPassword(allowed.url));
    assert.equal(statSync(join(dataDir, 'postgres', 'cluster')).uid, 65_534);
    await kill(allowed.program, 'SIGTERM');
    const asRoot = await hold(t, dataDir);
    assert.equal(asRoot.url, allowed.url, 'root goes on with it');
    await kill(asRoot.program, 'SIGTERM');
    const again = await hold(t, dataDir, options);
    assert.equal(again.url, allowed.url, 'and leaves nothing that locks its owner out');
    await kill(again.program, 'SIGTERM');
  },
);

test(
  'a data dir that PostgreSQL cannot enter as root gets its database elsewhere',
  { skip: !isRoot },
  async (t) => {
    const closed = temporaryFolder(t);
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    const lines = [];
    const database = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    const home = readFileSync(join(dataDir, 'postgres', 'location'), 'utf8').trim();
    t.after(() => rmSync(home, { recursive: true, force: true }));
    assert.match(lines[0], new RegExp(`the database will lie in ${home}$`));
    assert.ok(await asksForPassword(database.url));
    await database.stop();
    const again = await startEmbeddedPostgres({ dataDir });
    assert.equal(again.url, database.url);
    await again.stop();
    rmSync(home, { recursive: true });
    await assert.rejects(
      startEmbeddedPostgres({ dataDir }),
      /does not exist: put it back, or delete .*location to start empty/,
    );
  },
);
