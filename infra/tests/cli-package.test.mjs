import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, temporaryFolder } from './harness.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Unpacks the npm package of a project into a folder of modules, as npm install does, with the packages that it
 * declares and no others.
 */
function install(folder, project) {
  const { name, dependencies } = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8'));
  const packed = execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: join(root, project),
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed);
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
  const modules = join(target, 'node_modules');
  for (const dependency of Object.keys(dependencies).filter((each) => !each.startsWith('@quire/'))) {
    mkdirSync(dirname(join(modules, dependency)), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), join(modules, dependency));
  }
  return join(target, JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')).bin?.cms ?? '');
}

test('the packages of the command line run without the repository', async (t) => {
  const folder = temporaryFolder(t);
  install(folder, 'libs/site-package');
  const script = install(folder, 'libs/cli');
  const env = { XDG_CONFIG_HOME: folder };
  const help = launch(t, script, ['site', 'export', '--help'], { env });
  assert.deepEqual(await help.ended, { code: 0, signal: null });
  assert.match(help.stdout, /^Usage: cms site export \[options\] <file>/);
  const whoami = launch(t, script, ['whoami'], { env });
  assert.deepEqual(await whoami.ended, { code: 1, signal: null });
  assert.equal(whoami.stderr, 'Name a site: run cms login URL, or set CMS_URL and CMS_TOKEN\n');
});

test('the packages of the command line declare the versions of the repository', () => {
  const { dependencies: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const project of ['libs/site-package', 'libs/cli']) {
    const { dependencies } = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(dependencies))
      if (!name.startsWith('@quire/')) assert.equal(version, own[name], `${project}: ${name}`);
  }
});
