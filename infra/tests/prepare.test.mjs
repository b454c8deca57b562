import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixLock, findUnpinnedDependencies } from '../prepare/lockfile.mjs';
import { isBuilt, sourceHash } from '../prepare/build.mjs';
import { install, isInstalled } from '../prepare/install.mjs';
import { nodeProblem } from '../prepare/node-version.mjs';
import { prepare } from '../prepare/prepare.mjs';
import { ensurePrograms } from '../dist/process/programs.js';
import { withLock } from '../prepare/lock.mjs';
import { identifyProcess, sleep } from '../prepare/process-identity.mjs';
import { startRedis } from '../dist/stores/redis.js';
import { temporaryFolder } from './harness.mjs';

function write(root, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** A repository that is installed, with an "nx" that counts its runs and copies src to dist. */
function repository(t) {
  const root = temporaryFolder(t);
  const packages = { '': {}, 'node_modules/nx': { version: '1.0.0', integrity: 'sha512-x' } };
  write(root, {
    'package.json': { name: 'r' },
    'package-lock.json': { packages },
    'node_modules/.package-lock.json': { packages: { 'node_modules/nx': packages['node_modules/nx'] } },
    'node_modules/nx/package.json': { bin: { nx: './nx.mjs' } },
    'node_modules/nx/nx.mjs': `import { appendFileSync, cpSync, readFileSync } from 'node:fs';
      appendFileSync('runs', 'x');
      if (readFileSync('libs/a/src/index.ts', 'utf8') === 'broken') { console.log('Failed tasks:\\n\\n- @quire/a:build'); process.exit(1); }
      await new Promise((done) => setTimeout(done, 300));
      cpSync('libs/a/src', 'libs/a/dist', { recursive: true });`,
    'libs/a/src/index.ts': 'one',
  });
  return root;
}

test('an installed and built repository is neither installed nor built again', async (t) => {
  const root = repository(t);
  const lines = [];
  const go = () => prepare({ root, log: (line) => lines.push(line) });
  assert.equal(isInstalled(root), false);
  await Promise.all([go(), go()]);
  assert.ok(isInstalled(root) && isBuilt(root));
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('Waiting')),
    ['Building…'],
  );
  await go();
  write(root, { 'libs/a/src/index.spec.ts': 'a test', 'libs/a/src/index.ts': 'one' });
  assert.ok(isBuilt(root), 'same content, other time; tests do not count');
  write(root, { 'libs/a/src/index.ts': 'two' });
  assert.equal(isBuilt(root), false);
  await go();
  rmSync(join(root, 'libs/a/dist'), { recursive: true });
  assert.equal(isBuilt(root), false, 'the result is gone');
  write(root, { 'libs/a/src/index.ts': 'broken' });
  await assert.rejects(go(), {
    message: `The build of @quire/a failed: see ${join(root, '.nx', 'quire-build.log')}.`,
  });
  assert.equal(typeof sourceHash(root), 'string');
});

test('another lock file makes the installation stale', async (t) => {
  const root = repository(t);
  await prepare({ root, log: () => {} });
  const packages = { '': {}, 'node_modules/nx': { version: '2.0.0', integrity: 'sha512-y' } };
  write(root, { 'package-lock.json': { packages } });
  assert.equal(isInstalled(root), false);
});

test('an old Node.js is told what to do', () => {
  for (const good of ['20.19.0', '20.20.2', '22.12.0', '24.1.0']) assert.equal(nodeProblem(good), undefined);
  for (const bad of ['18.20.4', '20.18.1', '21.7.0', '22.11.0'])
    assert.match(nodeProblem(bad), /^Quire needs Node\.js 20\.19 or newer/);
});

test('a lock admits one process at a time and does not outlive its holder', async (t) => {
  const path = join(temporaryFolder(t), 'lock');
  let inside = 0;
  const work = async () => {
    inside += 1;
    assert.equal(inside, 1);
    await sleep(10);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)));
  writeFileSync(path, JSON.stringify({ holders: [{ ...identifyProcess(process.pid), began: 'earlier' }] }));
  await withLock(path, work);
  writeFileSync(path, '');
  await withLock(path, work);
});

test('a lock file leaves out what it has no hash of, once', () => {
  const lock = {
    packages: {
      '': { dependencies: { a: '1.0.0' } },
      'node_modules/a': {
        version: '1.0.0',
        integrity: 'sha512-a',
        optionalDependencies: {
          '@a/core-darwin-arm64': '1.0.0',
          '@a/core-linux-x64-gnu': '^1.0.0',
          '@a/core-win32-x64': '1.0.0',
        },
      },
      'node_modules/@a/core-linux-x64-gnu': {
        version: '1.0.1',
        resolved: 'https://registry.example/x.tgz',
        integrity: 'sha512-x',
        optional: true,
      },
      'node_modules/@a/core-win32-x64': { version: '1.0.0', optional: true },
    },
  };
  assert.deepEqual(fixLock(lock), [
    '@a/core-darwin-arm64 has no hash: it is left out of what node_modules/a may have',
    '@a/core-win32-x64 has no hash: it is left out of what node_modules/a may have',
    'node_modules/@a/core-linux-x64-gnu names the registry registry.example',
  ]);
  assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/a', 'node_modules/@a/core-linux-x64-gnu']);
  assert.deepEqual(lock.packages['node_modules/a'].optionalDependencies, {
    '@a/core-linux-x64-gnu': '^1.0.0',
  });
  assert.deepEqual(fixLock(lock), []);
  assert.deepEqual(findUnpinnedDependencies(lock), []);
});

test('a package without a hash and a range of versions are loose ends', () => {
  const packages = {
    '': {
      dependencies: { a: '^1.0.0', b: '1.0.0-beta.1' },
      devDependencies: { c: 'npm:d@7.0.2' },
      optionalDependencies: { e: '~2.0.0' },
    },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/@quire/b': { link: true },
    'libs/b': {},
  };
  assert.deepEqual(findUnpinnedDependencies({ packages }), [
    'node_modules/a has no hash',
    'a is wanted as ^1.0.0: name one version',
    'e is wanted as ~2.0.0: name one version',
  ]);
});

/** A machine with these programs and no others. @returns its PATH */
function machineWith(t, programs) {
  const folder = temporaryFolder(t);
  for (const [name, body] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${body.replaceAll('FOLDER', folder)}\n`, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = folder;
  t.after(() => (process.env.PATH = PATH));
  return folder;
}
const noLines = () => assert.fail('nothing is installed');

test('programs that a run needs and the machine lacks are named in one command', async (t) => {
  machineWith(t, { 'apt-get': 'exit 1', 'redis-server': 'exit 0' });
  await ensurePrograms({ needs: ['redis'], log: noLines, isRoot: false });
  await assert.rejects(ensurePrograms({ needs: ['redis', 'chromium', 's3'], log: noLines, isRoot: false }), {
    message:
      'Not installed, and needed by these tests: chromium, radosgw, ceph-mon, ceph-osd, ceph-common: type  sudo apt-get install --yes --no-install-recommends chromium radosgw ceph-mon ceph-osd ceph-common',
  });
});

test('a machine without apt names the packages', async (t) => {
  machineWith(t, {});
  await assert.rejects(ensurePrograms({ needs: ['redis'], log: noLines, isRoot: true }), {
    message: 'Not installed, and needed by these tests: redis-server (as Debian names their packages)',
  });
});

test('root installs with apt what is missing, and nothing else', async (t) => {
  const folder = machineWith(t, {
    'apt-get': `echo "$*" >> FOLDER/calls
if [ "$1" = install ]; then printf '#!/bin/sh\n' > FOLDER/redis-server; /bin/chmod 755 FOLDER/redis-server; fi`,
  });
  const lines = [];
  await ensurePrograms({ needs: ['redis'], log: (line) => lines.push(line), isRoot: true });
  await ensurePrograms({ needs: ['redis'], log: noLines, isRoot: true });
  assert.deepEqual(lines, ['Installing redis-server…']);
  assert.equal(
    readFileSync(join(folder, 'calls'), 'utf8'),
    'update -qq\ninstall --yes --no-install-recommends redis-server\n',
  );
});

test('what apt cannot install is one line', async (t) => {
  machineWith(t, { 'apt-get': '[ "$1" = update ] || { echo "E: Unable to locate package"; exit 100; }' });
  await assert.rejects(ensurePrograms({ needs: ['redis'], log: () => {}, isRoot: true }), {
    message:
      'apt-get install --yes --no-install-recommends redis-server did not help: E: Unable to locate package',
  });
});

test('Redis survives a crash on its port, and its absence is one line', async (t) => {
  const dir = temporaryFolder(t);
  const { PATH } = process.env;
  process.env.PATH = dir;
  t.after(() => (process.env.PATH = PATH));
  await assert.rejects(startRedis({ dir }), {
    message: 'redis-server is not installed: apt-get install redis-server',
  });
  process.env.PATH = PATH;
  const redis = await startRedis({ dir }).catch((error) =>
    error.message.includes('not installed') ? undefined : Promise.reject(error),
  );
  if (!redis) return t.skip('redis-server is not installed');
  await redis.kill();
  await redis.restart();
  await redis.restart();
  await redis.stop();
});

/** A folder with a lock file, and an npm that runs this. */
function folderWithNpm(t, body) {
  const { npm_execpath: npm } = process.env;
  delete process.env.npm_execpath;
  t.after(() => npm === undefined || (process.env.npm_execpath = npm));
  const root = temporaryFolder(t);
  write(root, { 'package-lock.json': { packages: {} } });
  const programs = machineWith(t, { npm: body });
  return {
    programs,
    options: { root, log() {}, hold() {}, logFile: join(root, 'npm.log'), ignoresScripts: true },
  };
}

test('a folder with its own lock file is installed without scripts of packages', async (t) => {
  const { programs, options } = folderWithNpm(t, 'echo "$*" > FOLDER/arguments');
  await install(options);
  assert.match(readFileSync(join(programs, 'arguments'), 'utf8'), /^ci .*--ignore-scripts/);
  assert.ok(isInstalled(options.root));
});

test('an installation that fails is not complete, and keeps the output of npm', async (t) => {
  const { options } = folderWithNpm(t, 'echo npm error network ENOTFOUND; exit 1');
  await assert.rejects(install(options), { message: /npm cannot reach the package registry/ });
  assert.match(readFileSync(options.logFile, 'utf8'), /ENOTFOUND/);
  assert.equal(isInstalled(options.root), false);
});
