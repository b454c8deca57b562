import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { connectQueueBackend } from '../backend/index.js';
import { testStores } from '@quire/testing';
import { CacheInvalidationBus } from './cache-invalidation-bus.js';

const silent = { warn: () => undefined, info: () => undefined, error: () => undefined };

describe.each([['PostgreSQL'], ['Redis']])('CacheInvalidationBus on %s', (store) => {
  it('delivers an invalidation to every process', async () => {
    const { databaseUrl, redisUrl } = testStores();
    const open = () =>
      connectQueueBackend({
        redisUrl: store === 'Redis' ? redisUrl : undefined,
        databaseUrl,
        namespace: 'relay_tests',
        logger: silent,
      });
    const backends = [open(), open()];
    const [one, two] = await Promise.all(
      backends.map((backend) => CacheInvalidationBus.open({ backend, name: 'spec' })),
    );
    const heard: unknown[] = [];
    await one?.onInvalidate('schema', (tenant, subject) => heard.push(['one', tenant, subject]));
    await two?.onInvalidate('schema', (tenant, subject) => heard.push(['two', tenant, subject]));
    await two?.onInvalidate('credentials', () => heard.push('wrong topic'));
    one?.invalidate('schema', 'site-a', 'subject-1');
    // The own process has invalidated it before the call returns.
    expect(heard).toEqual([['one', 'site-a', 'subject-1']]);
    two?.invalidate('schema');
    for (let tries = 0; heard.length < 4 && tries < 200; tries += 1) await wait(20);
    await Promise.all([one?.close(), two?.close()]);
    await Promise.all(backends.map((backend) => backend.close()));
    expect(heard).toHaveLength(4);
    expect(heard).toEqual(
      expect.arrayContaining([
        ['one', 'site-a', 'subject-1'],
        ['two', 'site-a', 'subject-1'],
        ['one', undefined, undefined],
        ['two', undefined, undefined],
      ]),
    );
  });
});
