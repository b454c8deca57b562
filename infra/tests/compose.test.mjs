import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from './harness.mjs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { checkRules, readExample } = await import('../dist/checks/compose.js');
const targets = JSON.parse(read('services/standalone/targets.json'));
const mistakesOf = (text) => checkRules(text, { targets, example: readExample() });

test('docker-compose.yml keeps the rules', () => {
  assert.deepEqual(mistakesOf(read('docker-compose.yml')), []);
});

for (const [what, from, to, mistake] of [
  [
    'serves as the superuser',
    'postgresql://quire:',
    'postgresql://postgres:',
    /gateway: connects as the superuser/,
  ],
  [
    'serves as the login that provisions',
    'postgresql://quire:',
    'postgresql://quire_owner:',
    /media: connects as the login that provisions/,
  ],
  [
    'gives our services the master key',
    '${MEILISEARCH_KEY:?',
    '${MEILI_MASTER_KEY:?',
    /search: knows the master key/,
  ],
  [
    'leaves our file system writable',
    'read_only: true',
    'read_only: false',
    /auth: may write its own file system/,
  ],
  ['leaves capabilities', 'cap_drop: [ALL]', 'cap_drop: []', /content: keeps capabilities/],
  [
    'lets privileges be gained',
    'no-new-privileges:true',
    'no-new-privileges:false',
    /gateway: may gain privileges/,
  ],
  [
    'takes whatever version there is',
    'image: valkey/valkey:8.1.4',
    'image: valkey/valkey:8',
    /valkey: the image has no exact version/,
  ],
  ['runs Redis', 'image: valkey/valkey:', 'image: redis:', /valkey: Valkey has the free licence/],
  ['limits no memory', 'mem_limit: 1g', 'mem_reservation: 1g', /gateway: no limit of memory/],
  [
    'limits no CPU',
    'cpus: ${CONTAINER_CPUS',
    'cpu_shares: ${CONTAINER_CPUS',
    /media-worker: no limit of CPU/,
  ],
  ['limits no processes', 'pids_limit: 256', 'pid: service', /auth: no limit of processes/],
  ['keeps all logs', 'max-size: 10m,', '', /postgres: its logs are not rotated/],
  ['leaves out a target', '  media-worker:', '  media-work:', /target media-worker has no service/],
  ['starts what is no target', '  media-worker:', '  media-work:', /media-work: is no target/],
  [
    'leads to another place than a service',
    'MEDIA_URL: http://media:4321',
    'MEDIA_URL: http://search:4321',
    /auth: does not know where media is/,
  ],
  [
    'gives a target the key of another',
    '${CMS_INTERNAL_PRIVATE_KEYS_SEARCH:-}',
    '${CMS_INTERNAL_PRIVATE_KEYS_GATEWAY:-}',
    /search: CMS_INTERNAL_PRIVATE_KEYS is not \$\{CMS_INTERNAL_PRIVATE_KEYS_SEARCH:-\}/,
  ],
]) {
  test(`a docker-compose.yml that ${what} is refused`, () => {
    const text = read('docker-compose.yml');
    assert.ok(text.includes(from));
    assert.match(mistakesOf(text.replace(from, to)).join('\n'), mistake);
  });
}

test('PostgreSQL accepts all connections of one process for each target', async () => {
  const { variables } = await import('@quire/config');
  const pool = variables.CMS_DATABASE_POOL_SIZE[0].parse(undefined);
  const withData = [...targets.api, ...targets.worker].filter((name) => !['gateway', 'admin'].includes(name));
  // the registry and the service; the gateway has connections for operators too
  const most = withData.length * 2 * pool + pool + 12;
  const [, limit] = /max_connections=(\d+)/.exec(read('docker-compose.yml'));
  assert.ok(Number(limit) > most, `${limit} > ${most}`);
});

test('the key of Meilisearch follows from the master key as compose.env.example says', async (t) => {
  const { startMeilisearch } = await import('../dist/stores/meilisearch.js');
  const server = await startMeilisearch({ dir: temporaryFolder(t) });
  t.after(() => server.stop());
  const { uid } = JSON.parse(read('infra/compose/search-key.json'));
  const { key, masterKey, url } = server.access;
  assert.equal(key, createHmac('sha256', masterKey).update(uid).digest('hex'));
  for (const file of ['infra/compose.env.example', 'infra/compose/create-search-key.sh'])
    assert.ok(read(file).includes(`printf %s ${uid} | openssl dgst -sha256 -hmac`));
  const keys = await fetch(`${url}/keys`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(keys.status, 403);
});
