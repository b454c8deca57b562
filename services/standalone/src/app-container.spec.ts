import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadEnvironment, type Environment } from '@quire/config';
import { AppContainer } from './app-container.js';

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
