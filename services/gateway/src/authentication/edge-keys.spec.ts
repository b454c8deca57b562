import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccessTeam } from '@quire/testing';
import { compactVerify } from 'jose';
import { EdgeKeys } from './edge-keys.js';

const minuteMs = 60_000;
let team: AccessTeam;
let keys: EdgeKeys;
let now: number;

beforeEach(async () => {
  team = await AccessTeam.open();
  keys = new EdgeKeys(team.origin, { fetchMs: 100, afterFailureMs: 5_000 });
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

describe('the keys of an access team (document 1, Edge access mode)', () => {
  it('are fetched when the first is needed, once, and anew after ten minutes', async () => {
    expect(team.keyFetches).toBe(0);
    for (let count = 0; count < 3; count += 1) await verify();
    expect(team.keyFetches).toBe(1);
    now += 11 * minuteMs;
    await verify();
    expect(team.keyFetches).toBe(2);
  });

  it('are fetched anew for one that is not among them, at most every half minute', async () => {
    await verify();
    await team.rotate();
    await expect(verify()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    now += minuteMs / 2;
    await verify();
    expect(team.keyFetches).toBe(2);
  });

  it('hold no key any more that the team has withdrawn, once they are fetched anew', async () => {
    const old = await team.assert('a@site.example');
    await verify(old);
    await team.rotate();
    await team.rotate();
    now += 11 * minuteMs;
    await expect(verify(old)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('are used for an hour when the team does not answer, and not longer; unknown ones are not known then', async () => {
    await verify();
    const unknown = await team.assert('a@site.example', { kid: 'unknown' });
    team.mood = 'failing';
    now += 30 * minuteMs;
    await verify();
    await expect(verify(unknown)).rejects.toEqual(unavailable);
    now += 31 * minuteMs;
    await expect(verify()).rejects.toEqual(unavailable);
  });

  it.each(['failing', 'silent'] as const)(
    'are asked for again some seconds after the team was %s, and not before',
    async (mood) => {
      team.mood = mood;
      for (let count = 0; count < 5; count += 1) await expect(verify()).rejects.toEqual(unavailable);
      expect(team.keyFetches).toBe(1);
      team.mood = 'answering';
      await expect(verify()).rejects.toEqual(unavailable);
      now += 5_000;
      await verify();
      expect(team.keyFetches).toBe(2);
    },
  );

  it('cannot be had from what is no team', async () => {
    keys = new EdgeKeys(`${team.origin}/`.replace(/:\d+/, ':1'));
    await expect(verify()).rejects.toEqual(unavailable);
  });
});
