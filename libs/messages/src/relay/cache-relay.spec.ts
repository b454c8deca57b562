import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { connectQueueBackend } from '@quire/queue';
import { testStores } from '@quire/testing';
import { CacheRelay } from './cache-relay.js';

const silent = { warn: () => undefined, info: () => undefined };

describe.each([['PostgreSQL'], ['Redis']])('the cache relay on %s', (store) => {
  it('tells every process which tenant has to drop what', async () => {
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
      backends.map((backend) => CacheRelay.open({ backend, name: 'spec' })),
    );
    const heard: unknown[] = [];
    await one?.onDrop('schema', (tenant, subject) => heard.push(['one', tenant, subject]));
    await two?.onDrop('schema', (tenant, subject) => heard.push(['two', tenant, subject]));
    await two?.onDrop('credentials', () => heard.push('wrong topic'));
    one?.drop('schema', 'site-a', 'subject-1');
    // The own process has dropped it before it goes on.
    expect(heard).toEqual([['one', 'site-a', 'subject-1']]);
    two?.drop('schema');
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
