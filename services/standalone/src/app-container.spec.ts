import 'reflect-metadata';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadEnvironment, type Environment } from '@quire/config';
import { testStores } from '@quire/testing';
import { AppContainer } from './app-container.js';
import { openInstallation } from './installation.fixture.js';

describe('the object store of an installation', () => {
  let dataDir: string;
  let installation: AppContainer;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'quire-installation-'));
  });
  afterEach(async () => {
    await installation.lifecycle.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const install = (changes: Partial<Environment> = {}) => {
    const environment = { ...loadEnvironment({}), CMS_DATA_DIR: dataDir, CMS_LOG_LEVEL: 'silent' as const };
    installation = new AppContainer({ ...environment, ...changes }, { defaultLocale: 'en' }, ['spec']);
    return installation;
  };

  it('is the folder media/ of the data folder', async () => {
    const store = await install().objectStore();
    await store.put('site/name', Readable.from([Buffer.from('text')]), { contentType: 'text/plain' });
    expect(store.kind).toBe('local');
    expect(existsSync(join(dataDir, 'media', 'site'))).toBe(true);
    expect(await installation.objectStore()).toBe(store);
  });

  it('is an S3 store if one is configured, even while it is unavailable', async () => {
    const keys = { S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret', S3_BUCKET: 'media' };
    const store = await install({ S3_ENDPOINT: 'http://127.0.0.1:1', ...keys }).objectStore();
    expect(store.kind).toBe('s3');
    expect(existsSync(join(dataDir, 'media'))).toBe(false);
  });

  it('throws for an incomplete S3 configuration', async () => {
    const half = install({ S3_ENDPOINT: 'http://127.0.0.1:1' });
    await expect(half.objectStore()).rejects.toThrow('S3_ACCESS_KEY is not set');
  });
});

describe('the metrics of a container', () => {
  it('have the gaps of the relay, and the sites of the registry', async () => {
    const test = await openInstallation('container_metrics');
    const container = new AppContainer(test.environment, { defaultLocale: 'en' }, ['spec']);
    const gapListeners: (() => void)[] = [];
    const relay = {
      publish: () => undefined,
      subscribe: () => Promise.resolve(),
      onReconnect: (listener: () => void) => void gapListeners.push(listener),
      close: () => Promise.resolve(),
    };
    await container.memoize('queues', () => Promise.resolve({ relay: () => Promise.resolve(relay) }));
    await container.registry();
    const valueOf = (name: string) => container.metrics.registry.getSingleMetricAsString(name);
    expect(await valueOf('quire_relay_gaps_total')).toMatch(/^quire_relay_gaps_total 0$/m);
    expect(await valueOf('quire_tenants')).toMatch(/^quire_tenants 1$/m);
    await test.adminService.tenants.create({ id: 'second', database: null }, ['second.example']);
    for (const listener of gapListeners) listener();
    expect(await valueOf('quire_relay_gaps_total')).toMatch(/^quire_relay_gaps_total 1$/m);
    expect(await valueOf('quire_tenants')).toMatch(/^quire_tenants 2$/m);
    await container.lifecycle.stop();
    await test.close();
  });
});

describe('a database that accepts connections after four seconds', () => {
  const open = (targets: string[], url: URL) => {
    const environment = { ...loadEnvironment({ DATABASE_URL: url.href }), CMS_LOG_LEVEL: 'silent' as const };
    const container = new AppContainer(environment, { defaultLocale: 'en' }, targets);
    return container.databases('content', []).finally(() => container.lifecycle.stop());
  };
  let server: Server;
  let url: URL;
  beforeAll(async () => {
    url = new URL(testStores().databaseUrl);
    const database = { port: Number(url.port), host: url.hostname };
    server = createServer(async (client) => {
      client.on('error', () => undefined);
      await wait(4_000);
      const upstream = connect(database).on('error', () => undefined);
      client.pipe(upstream).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url.port = String((server.address() as AddressInfo).port);
  });
  afterAll(() => void server.close());

  it('is waited for by a command', async () => {
    expect((await open(['cms'], url)).service).toBe('content');
  });

  it('is unavailable to a process that responds to requests', async () => {
    await expect(open(['content'], url)).rejects.toThrow('connection timeout');
  });
});
