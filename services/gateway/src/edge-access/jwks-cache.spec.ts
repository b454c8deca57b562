import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeAccessProvider } from '@quire/testing';
import { compactVerify } from 'jose';
import { JwksCache } from './jwks-cache.js';

const minuteMs = 60_000;
let team: FakeAccessProvider;
let keys: JwksCache;
let now: number;

beforeEach(async () => {
  team = await FakeAccessProvider.open();
  keys = new JwksCache(team.origin, { fetchTimeoutMs: 2_000, retryAfterFailureMs: 5_000 });
  now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await team.close();
});

const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });
const verify = async (assertion?: string) =>
  compactVerify(assertion ?? (await team.assert('a@site.example')), keys.find);

describe('JwksCache (document 1, Edge access mode)', () => {
  it('fetches keys on first use and refreshes them after ten minutes', async () => {
    expect(team.keyFetches).toBe(0);
    for (let count = 0; count < 3; count += 1) await verify();
    expect(team.keyFetches).toBe(1);
    now += 11 * minuteMs;
    await verify();
    expect(team.keyFetches).toBe(2);
  });

  it('refetches for an unknown key id at most every 30 seconds', async () => {
    await verify();
    await team.rotate();
    await expect(verify()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    now += minuteMs / 2;
    await verify();
    expect(team.keyFetches).toBe(2);
  });

  it('drops withdrawn keys on refresh', async () => {
    const old = await team.assert('a@site.example');
    await verify(old);
    await team.rotate();
    await team.rotate();
    now += 11 * minuteMs;
    await expect(verify(old)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('serves stale keys for an hour when the team is unavailable', async () => {
    await verify();
    const unknown = await team.assert('a@site.example', { kid: 'unknown' });
    team.responseMode = 'failing';
    now += 30 * minuteMs;
    await verify();
    await expect(verify(unknown)).rejects.toEqual(unavailable);
    now += 31 * minuteMs;
    await expect(verify()).rejects.toEqual(unavailable);
  });

  it.each(['failing', 'silent'] as const)(
    'fetches again after a pause when the team was %s',
    async (mode) => {
      team.responseMode = mode;
      for (let count = 0; count < 5; count += 1) await expect(verify()).rejects.toEqual(unavailable);
      expect(team.keyFetches).toBe(1);
      team.responseMode = 'answering';
      await expect(verify()).rejects.toEqual(unavailable);
      now += 5_000;
      await verify();
      expect(team.keyFetches).toBe(2);
    },
  );

  it('throws SERVICE_UNAVAILABLE for a server without keys', async () => {
    keys = new JwksCache(`${team.origin}/`.replace(/:\d+/, ':1'));
    await expect(verify()).rejects.toEqual(unavailable);
  });
});
