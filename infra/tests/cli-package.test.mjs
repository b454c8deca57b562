import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, temporaryFolder } from './harness.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tls = fileURLToPath(new URL('fakes/tls', import.meta.url));

/** Lets a server listen on a free port until the end of the test. @returns the port */
async function listen(t, server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return server.address().port;
}

/** A site with TLS that knows one user. */
function createSite() {
  const key = readFileSync(join(tls, 'key.pem'));
  const cert = readFileSync(join(tls, 'certificate.pem'));
  return createHttpsServer({ key, cert }, ({ url, headers: { authorization } }, response) => {
    const isKnown = url === '/_cms/api/auth/me' && authorization === 'Bearer token';
    const data = { id: 'u1', email: 'ann@cms.example', name: null, role: 50 };
    response.writeHead(isKnown ? 200 : 401).end(JSON.stringify({ data }));
  });
}

/** A proxy that leads all tunnels to one port. @param tunnels gets their targets */
function createProxy(port, tunnels) {
  return createHttpServer().on('connect', ({ url }, socket) => {
    tunnels.push(url);
    const site = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      site.pipe(socket).pipe(site);
    });
    site.on('error', () => socket.destroy());
    socket.on('error', () => site.destroy());
  });
}

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

test('the command line reaches a site through the proxy of the environment, with TLS to the site', async (t) => {
  const tunnels = [];
  const sitePort = await listen(t, createSite());
  const proxyPort = await listen(t, createProxy(sitePort, tunnels));
  const env = {
    XDG_CONFIG_HOME: temporaryFolder(t),
    CMS_URL: 'https://cms.example',
    CMS_TOKEN: 'token',
    https_proxy: `http://127.0.0.1:${proxyPort}`,
    no_proxy: 'other.example',
  };
  const run = (variables) =>
    launch(t, join(root, 'libs/cli/dist/bin.js'), ['whoami'], { env: { ...env, ...variables } });
  const trusting = run({ NODE_EXTRA_CA_CERTS: join(tls, 'certificate.pem') });
  assert.deepEqual([await trusting.ended, trusting.stderr], [{ code: 0, signal: null }, '']);
  assert.equal(trusting.stdout, 'ann@cms.example at https://cms.example\nId: u1\n');
  assert.deepEqual(tunnels, ['cms.example:443']);
  const distrusting = run({ NODE_EXTRA_CA_CERTS: '' });
  assert.deepEqual(await distrusting.ended, { code: 1, signal: null });
  assert.match(distrusting.stderr, /^https:\/\/cms\.example does not answer: .*certificate/);
});

test('the packages of the command line declare the versions of the repository', () => {
  const { dependencies: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const project of ['libs/site-package', 'libs/cli']) {
    const { dependencies } = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(dependencies))
      if (!name.startsWith('@quire/')) assert.equal(version, own[name], `${project}: ${name}`);
  }
});
