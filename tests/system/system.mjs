/**
 * A whole Quire for the black-box suites: migrates its tables, starts its processes, and serves operator tasks of tests
 * (tenants, tokens) on a control port. Communicates with npm test over IPC.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@quire/testing';
import { apiTargets as api, variableName, workerTargets as workers } from '@quire/topology';
import { createDatabaseLogins } from './database-logins.mjs';
import { startFakeSmtpServer } from './fake-smtp-server.mjs';
import { startFakeProviders } from './providers/index.mjs';

const main = fileURLToPath(new URL('../../services/standalone/dist/bundle/main.js', import.meta.url));

/** The modules of the programs: their classes differ from those of the single modules. */
const composition = '../../services/standalone/dist/bundle/index.js';
const cms = fileURLToPath(new URL('../../services/standalone/dist/bundle/cms.js', import.meta.url));

/** The targets of each process. `single` is the arrangement of `npm start`. */
const arrangements = {
  single: [api, workers],
  distributed: [...api, ...workers].map((target) => [target]),
  'two-workers': [api, workers, workers],
  'many-workers': [api, workers, workers, workers],
  'no-workers': [api],
  'two-servers': [api, api, workers],
  'media-separate': [api.filter((target) => target !== 'media'), ['media']],
  'transfer-separate': [
    api.filter((target) => !['content', 'media', 'search'].includes(target)),
    ['content'],
    ['media', 'search'],
    ['transfer-worker'],
  ],
};

const children = [];
/** Targets, process id and port of each child. */
const running = [];
/** Data directory of the processes. */
let dataDir;

async function startTargets(
  targets,
  environment,
  port,
  { opsPort: wantedOpsPort = 0, migrates = false } = {},
) {
  const env = { ...environment, PORT: String(port), CMS_OPS_PORT: String(wantedOpsPort) };
  const options = migrates ? ['--migrate'] : [];
  const child = spawn(process.execPath, [main, '--target', targets.join(','), ...options], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const message = await Promise.race([
    new Promise((resolve) =>
      child.on('message', (received) => received.type !== 'migrated' && resolve(received)),
    ),
    once(child, 'exit').then(() => ({ type: 'failed', message: 'the process exited' })),
  ]);
  if (message.type !== 'ready') throw new Error(`${targets.join(',')} did not start: ${message.message}`);
  const { port: ownPort, opsPort } = message;
  running.push({ targets, pid: child.pid, port: ownPort, opsPort });
  return `http://127.0.0.1:${ownPort}`;
}

const isAlive = ({ exitCode, signalCode }) => exitCode === null && signalCode === null;

/** Starts the processes of an arrangement. @returns the address of each target as `CONTENT_URL`, `MEDIA_URL` … */
async function startAll(arrangement, environment) {
  const processes = [];
  const addresses = {};
  for (const targets of arrangements[arrangement]) {
    const port = await freePort();
    processes.push({ targets, port });
    for (const target of targets)
      addresses[variableName(target.replace('-', '_'), 'URL')] = `http://127.0.0.1:${port}`;
  }
  await Promise.all(
    processes.map(({ targets, port }) => startTargets(targets, { ...environment, ...addresses }, port)),
  );
  return addresses;
}

/** The process that serves requests, which commands connect to. */
const gatewayProcess = () => running.find(({ targets }) => targets.includes('gateway'));

/** Runs a command of `cms` in a separate process, to its end or until its output contains a text. */
async function startCommand({ args, until }, env) {
  const child = spawn(process.execPath, [cms, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const collected = { stdout: '', stderr: '' };
  let isStopped = false;
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      collected[name] += text;
      if (until === undefined || isStopped || !collected.stdout.includes(until)) return;
      // A second Ctrl-C would end the process at once.
      isStopped = child.kill('SIGINT');
    });
  const [code] = await once(child, 'close');
  return { code, ...collected };
}

/** Runs a command of `cms` in this process. */
async function runCommand({ args }, services) {
  const { createProgram } = await import(composition);
  const lines = [];
  const print = async (line) => void lines.push(`${line}\n`);
  const stopSignal = () => AbortSignal.abort();
  try {
    const program = createProgram(async (run) => {
      const line = await run({ ...services, print, stopSignal });
      if (line !== undefined) await print(line);
    });
    await program.parseAsync(args, { from: 'user' });
    return { code: 0, stdout: lines.join(''), stderr: '' };
  } catch (error) {
    return { code: 1, stdout: lines.join(''), stderr: `${error.message}\n` };
  }
}

async function startControlServer({ installation, adminService, environment, addresses, mailbox }) {
  const { tenantSchema } = await import('../../libs/tenancy/dist/index.js');
  let count = 0;
  const actions = {
    '/tenants': async ({ hosts, domain = 'example', database = null }) => {
      count += 1;
      const tenant = `t${count}-${randomBytes(3).toString('hex')}`;
      const host = `${tenant}.${domain}`;
      const setupLink = await adminService.tenants.create({ id: tenant, database }, hosts ?? [host]);
      return { tenant, schema: tenantSchema({ id: tenant }), host, setupLink };
    },
    '/image-key': async ({ tenant }) => ({ key: await adminService.imageKey(tenant) }),
    '/tenants/delete': async ({ tenant }) => adminService.deletions.purge(tenant),
    '/workers/start': async () => {
      const origin = await startTargets(workers, { ...environment, ...addresses }, await freePort());
      return { pid: children.at(-1).pid, origin };
    },
    /** The running processes, and the location of media. */
    '/installation': () => ({
      processes: running.filter(({ pid }) => children.some((child) => child.pid === pid && isAlive(child))),
      dataDir,
      bucket: environment.S3_BUCKET,
    }),
    /** Restarts targets whose process has ended, on the same ports. */
    '/targets/start': async ({ targets, port, opsPort, migrates }) => ({
      origin: await startTargets(targets, { ...environment, ...addresses }, port, { opsPort, migrates }),
    }),
    '/sessions': async ({ tenant, role, email }) => {
      const { databasesOf, ensureUser, openSession } = await import(composition);
      const { roles } = await import('../../libs/permissions/dist/index.js');
      const databases = await databasesOf(installation, 'auth');
      const session = await databases.tenant({ id: tenant, database: null }).transaction(async (tx) => {
        const { id } = await ensureUser(tx, { email, role: roles[role.toUpperCase()] });
        return openSession(tx, id, { clientAddress: null, origin: null, userAgent: 'Tests' });
      });
      return { session };
    },
    '/cms': (command) =>
      command.isProcess
        ? startCommand(command, { ...environment, PORT: String(gatewayProcess().port) })
        : runCommand(command, { adminService, installation }),
    /** Raises or lifts the write fence of a site import, as its worker does. */
    '/write-fence': async ({ tenant, isRaised }) => {
      const { WriteFence } = await import(composition);
      const fence = new WriteFence(await installation.registry(), await installation.relay());
      const ctx = { principal: { tenant: { id: tenant, database: null } } };
      await (isRaised ? fence.raise(ctx) : fence.lift(ctx));
    },
    '/mails': ({ to, count = 1 }) => mailbox.mailsTo(to, count),
    '/tokens': async ({ tenant, role, email, scopes }) => ({
      token: await adminService.createToken({ tenant, role, email, scopes }),
    }),
  };
  const server = createServer(async (request, response) => {
    try {
      const chunks = await request.toArray();
      const result = await actions[request.url](JSON.parse(Buffer.concat(chunks).toString() || '{}'));
      response.end(JSON.stringify(result ?? {}));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error?.stack ?? error));
    }
  });
  // Longer than pauses of tests: closing a connection during a request would fail a test.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** Variables for media in a new bucket on an S3 server, to which clients upload directly. */
function s3Variables({ endpoint, publicEndpoint = endpoint, accessKey, secretKey, region }) {
  return {
    S3_ENDPOINT: endpoint,
    S3_PUBLIC_ENDPOINT: publicEndpoint,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_REGION: region,
    S3_BUCKET: `quire-${randomBytes(4).toString('hex')}`,
  };
}

async function start({
  arrangement,
  databaseUrl,
  redisUrl,
  onRedis = arrangement === 'distributed',
  s3,
  meilisearch,
  settings = {},
  logLevel = 'error',
}) {
  const mailbox = await startFakeSmtpServer();
  const logins = await createDatabaseLogins(databaseUrl);
  // Separate processes use the login that cannot provision.
  const isDistributed = arrangement === 'distributed';
  dataDir = await mkdtemp(join(tmpdir(), 'quire-data-'));
  // A suite starts its own AT Protocol network on this port.
  const atprotoPort = await freePort();
  const environment = {
    ...process.env,
    ...(await startFakeProviders()),
    TEST_ATPROTO_PORT: String(atprotoPort),
    CMS_DATA_DIR: dataDir,
    DATABASE_URL: logins.provisioning,
    ...(isDistributed ? { CMS_DATABASE_SERVING_ROLE: logins.servingRole } : {}),
    CMS_INTERNAL_SECRET: randomBytes(32).toString('hex'),
    CMS_LOG_LEVEL: process.env.CMS_LOG_LEVEL ?? logLevel,
    CMS_TRUSTED_PROXY_HEADERS: 'x-real-ip,x-forwarded-for',
    CMS_ALLOWED_ORIGINS: 'https://allowed.example',
    // The arrangement without workers has no mail server either.
    ...(arrangement === 'no-workers'
      ? {}
      : { CMS_SMTP_URL: mailbox.url, CMS_MAIL_FROM: 'Quire <quire@site.example>' }),
    ...(onRedis ? { REDIS_URL: redisUrl, CMS_NAMESPACE: `t${randomBytes(4).toString('hex')}` } : {}),
    ...(s3 ? s3Variables(s3) : {}),
    ...(meilisearch
      ? {
          MEILISEARCH_URL: meilisearch.url,
          MEILISEARCH_KEY: meilisearch.key,
          CMS_NAMESPACE: `t${randomBytes(4).toString('hex')}`,
        }
      : {}),
    ...settings,
  };
  Object.assign(process.env, environment);
  const { AdminService, AppContainer } = await import(composition);
  const { loadEnvironment, loadSiteConfig } = await import('../../libs/config/dist/index.js');
  const installation = new AppContainer(loadEnvironment(), await loadSiteConfig(undefined), ['tests']);
  const adminService = new AdminService(installation);
  await adminService.migrate();
  if (isDistributed) environment.DATABASE_URL = logins.serving;
  const addresses = await startAll(arrangement, environment);
  const origin = addresses.GATEWAY_URL;
  const opsOrigin = `http://127.0.0.1:${gatewayProcess().opsPort}`;
  const control = await startControlServer({ installation, adminService, environment, addresses, mailbox });
  process.on('disconnect', () => void stop(installation));
  process.on('message', ({ type }) => type === 'stop' && void stop(installation));
  process.send({
    type: 'ready',
    system: { origin, opsOrigin, control, databaseUrl, redisUrl, arrangement, atprotoPort },
  });
}

async function stop(installation) {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.filter(isAlive).map((child) => once(child, 'exit')));
  await installation.lifecycle.stop();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
}

process.once('message', (options) => {
  start(options).catch((error) => {
    process.send({ type: 'failed', message: error.stack });
    for (const child of children) child.kill('SIGKILL');
    process.exit(1);
  });
});
