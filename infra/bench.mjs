// npm run bench: Quire through its gateway beside a bare Fastify handler that runs the same SQL, interleaved in one run.
// Options: --rounds 5 --seconds 2 --only get,list
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { startRedis } from './redis.mjs';
import { prepare } from './prepare/prepare.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
});
const connections = 16;
const entries = 2_000;
const poolSize = 10;
const work = mkdtempSync(join(tmpdir(), 'quire-bench-'));
chmodSync(work, 0o711);
const closers = [];

/** Starts a program that answers `ready` over IPC. */
async function start(program, message) {
  const child = fork(join(root, program), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, CMS_LOG_LEVEL: 'warn' },
  });
  closers.push(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });
  child.send(message);
  const [answer] = await once(child, 'message');
  if (answer.type !== 'ready') throw new Error(answer.message);
  return { ...answer, pid: child.pid };
}

async function api(variant, method, path, body) {
  const headers = { ...variant.headers, 'content-type': 'application/json' };
  const { request } = await import('undici');
  const answer = await request(`${variant.origin}/_cms/api${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const parsed = await answer.body.json();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`);
  return parsed.data;
}

/** A system with a site of its own that holds the collection and its entries. */
async function openSystem(arrangement, databaseUrl, redisUrl) {
  const { system, pid } = await start('tests/system/system.mjs', {
    arrangement,
    databaseUrl,
    redisUrl,
    logLevel: 'warn',
  });
  const ask = async (path, body) =>
    (await fetch(system.control + path, { method: 'POST', body: JSON.stringify(body) })).json();
  const { tenant, host } = await ask('/tenants', {});
  const { token } = await ask('/tokens', {
    tenant,
    role: 'admin',
    email: 'bench@example.com',
    scopes: ['admin'],
  });
  const variant = {
    origin: system.origin,
    headers: { authorization: `Bearer ${token}`, host },
    pid,
    databaseUrl,
    tenant,
  };
  await makeCollection(variant, 'bench');
  // New entries go elsewhere, so that lists are of one length in every round and every variant.
  await makeCollection(variant, 'growing');
  variant.ids = [];
  for (let index = 0; index < entries; index += 20) {
    const made = Array.from({ length: 20 }, (_, place) => makeEntry(variant, index + place));
    variant.ids.push(...(await Promise.all(made)));
  }
  await settle(databaseUrl);
  return variant;
}

async function makeCollection(variant, collection) {
  await api(variant, 'POST', '/schema/collections', { slug: collection, label: collection });
  for (const [slug, type, indexed] of [
    ['title', 'string', true],
    ['body', 'text', false],
    ['rank', 'integer', true],
    ['active', 'boolean', true],
  ]) {
    const field = { slug, label: slug, type, indexed };
    await api(variant, 'POST', `/schema/collections/${collection}/fields`, field);
  }
}

/** As the database's own housekeeping would have done by and by, so that it does not begin in the middle of a round. */
async function settle(databaseUrl) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

async function makeEntry(variant, index) {
  const data = { title: `Entry ${index}`, body: 'x'.repeat(2_000), rank: index, active: index % 2 === 0 };
  return (await api(variant, 'POST', '/content/bench', { data })).item.id;
}

let created = 0;
// Of one length always: the load generator counts a body's bytes once.
const nextNumber = () => String((created += 1)).padStart(9, '0');
const cycle = (ids) => {
  let index = 0;
  return () => ids[(index = (index + 1) % ids.length)];
};
const newBody = () =>
  JSON.stringify({
    data: { title: `New ${process.pid} ${nextNumber()}`, body: 'x'.repeat(2_000), rank: 1 },
  });
const changedBody = () => JSON.stringify({ data: { title: `Changed ${nextNumber()}` } });
const filters = encodeURIComponent(JSON.stringify({ active: true, rank: { gte: 100 } }));
const content = '/_cms/api/content/bench';

/** Each operation: the next request to Quire, and to the bare handler. */
const operations = {
  get: (id) => [() => ({ path: `${content}/${id()}` }), () => ({ path: `/get/${id()}` })],
  list: () => [() => ({ path: content }), () => ({ path: '/list' })],
  filtered: () => [
    () => ({ path: `${content}?orderBy=rank&order=asc&fieldFilters=${filters}` }),
    () => ({ path: '/filtered' }),
  ],
  create: () => [
    () => ({ method: 'POST', path: '/_cms/api/content/growing', body: newBody() }),
    () => ({ method: 'POST', path: '/create', body: newBody() }),
  ],
  update: (id) => [
    () => ({ method: 'PUT', path: `${content}/${id()}`, body: changedBody() }),
    () => ({ method: 'PUT', path: `/update/${id()}`, body: changedBody() }),
  ],
  publish: (id) => [
    () => ({ method: 'POST', path: `${content}/${id()}/publish` }),
    () => ({ method: 'POST', path: `/publish/${id()}` }),
  ],
};

async function main() {
  await prepare({ root, log: console.log });
  const { cpuSeconds } = await import('./bench/processes.mjs');
  const { load } = await import('./bench/load.mjs');
  const { report } = await import('./bench/report.mjs');
  const postgres = await startEmbeddedPostgres({ dataDir: join(work, 'data') });
  closers.push(() => postgres.stop());
  const redis = await startRedis({ dir: join(work, 'redis') });
  closers.push(() => redis.stop());
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  const postmaster = Number(
    readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0],
  );
  const version = (await client.query('SHOW server_version')).rows[0].server_version;
  await client.query('CREATE DATABASE quire_apart');
  await client.end();
  const apartUrl = Object.assign(new URL(postgres.url), { pathname: '/quire_apart' }).href;
  console.log(
    `${cpus().length} cores, Node ${process.versions.node}, PostgreSQL ${version}; ${connections} connections, ${entries} entries of 2 KB`,
  );
  console.log('Making the entries…');
  const together = await openSystem('together', postgres.url, redis.url);
  const apart = await openSystem('apart', apartUrl, redis.url);
  const bare = await start('infra/bench/bare.mjs', {
    databaseUrl: postgres.url,
    schema: `site_${together.tenant}`,
    poolSize,
  });
  const variants = { bare: { ...bare, headers: {}, ids: together.ids }, together, apart };
  const chosen = options.only?.split(',') ?? Object.keys(operations);
  const results = {};
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    for (const operation of chosen) {
      for (const name of Object.keys(variants).sort(() => Math.random() - 0.5)) {
        const variant = variants[name];
        const [quire, plain] = operations[operation](cycle(variant.ids));
        const next = name === 'bare' ? plain : quire;
        const hasBody = ['create', 'update'].includes(operation);
        const headers = { ...variant.headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) };
        const before = [cpuSeconds([variant.pid]), cpuSeconds([postmaster])];
        const measured = await load({
          label: `${operation} (${name})`,
          origin: variant.origin,
          headers,
          next,
          seconds: Number(options.seconds),
          connections,
        });
        const after = [cpuSeconds([variant.pid]), cpuSeconds([postmaster])];
        const [serverMs, databaseMs] = after.map(
          (value, index) => ((value - before[index]) * 1000) / measured.count,
        );
        // The first round warms up caches, plans and the compiler.
        if (round > 0) ((results[operation] ??= {})[name] ??= []).push({ ...measured, serverMs, databaseMs });
      }
    }
    process.stdout.write(round === 0 ? 'Warmed up. ' : `Round ${round}. `);
  }
  console.log();
  const ordered = Object.fromEntries(
    Object.entries(results).map(([operation, found]) => [
      operation,
      { bare: found.bare, together: found.together, apart: found.apart },
    ]),
  );
  report(ordered);
}

let code = 0;
await main().catch((error) => {
  console.error(error.stack ?? error);
  code = 1;
});
for (const close of closers.reverse()) await close().catch((error) => console.error(String(error)));
rmSync(work, { recursive: true, force: true });
process.exit(code);
