import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixLock } from '../fix-lockfile.mjs';
import { isBuilt, sourceHash } from '../prepare/build.mjs';
import { isInstalled } from '../prepare/install.mjs';
import { nodeProblem } from '../prepare/node-version.mjs';
import { prepare } from '../prepare/prepare.mjs';
import { withLock } from '../process/lock.mjs';
import { identify, sleep } from '../process/identity.mjs';
import { startRedis } from '../redis.mjs';
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

test('nothing is done twice: an installed and built repository is left alone', async (t) => {
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

test('a lock lets one through at a time and outlives nobody', async (t) => {
  const path = join(temporaryFolder(t), 'lock');
  let inside = 0;
  const work = async () => {
    inside += 1;
    assert.equal(inside, 1);
    await sleep(10);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)));
  writeFileSync(path, JSON.stringify({ holders: [{ ...identify(process.pid), began: 'earlier' }] }));
  await withLock(path, work);
  writeFileSync(path, '');
  await withLock(path, work);
});

test('a lock file without entries for other platforms gets them once', () => {
  const lock = {
    packages: {
      'node_modules/a': {
        version: '1.0.0',
        optionalDependencies: {
          '@a/core-darwin-arm64': '1.0.0',
          '@a/core-linux-x64-gnu': '^1.0.0',
          plain: '1',
        },
      },
      'node_modules/@a/core-linux-x64-gnu': {
        version: '1.0.1',
        resolved: 'https://registry.example/x.tgz',
        integrity: 'sha512-x',
      },
    },
  };
  assert.deepEqual(fixLock(lock), [
    '@a/core-darwin-arm64@1.0.0 has no entry',
    'node_modules/@a/core-linux-x64-gnu names the registry registry.example',
  ]);
  assert.deepEqual(lock.packages['node_modules/@a/core-darwin-arm64'], {
    version: '1.0.0',
    optional: true,
    os: ['darwin'],
    cpu: ['arm64'],
  });
  assert.deepEqual(fixLock(lock), []);
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
