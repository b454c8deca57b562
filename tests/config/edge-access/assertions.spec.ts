import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeAccessProvider } from '@quire/testing';
import { exportSPKI } from 'jose';
import { EdgeTestEnvironment, waitForChange, type EdgeSite } from '../support/edge-test-environment.js';

let testEnvironment: EdgeTestEnvironment;
let site: EdgeSite;

beforeAll(async () => {
  testEnvironment = await EdgeTestEnvironment.open();
  site = await testEnvironment.site(await testEnvironment.start());
  await site.visit('first');
}, 60_000);
afterEach(() => testEnvironment.stopAllExcept(site.origin));
afterAll(() => testEnvironment.close());

const me = (assertion?: string) => site.get('/auth/me', { assertion });
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60;

/** An assertion with a header and a signature of the forger's choice. */
function forged(header: object, sign: (text: string) => string): string {
  const text = `${base64(header)}.${base64(testEnvironment.team.claims(site.email('first')))}`;
  return `${text}.${sign(text)}`;
}

describe('a protected request (document 1, Edge access mode; contract 29)', () => {
  it('goes through with an assertion of the team, as the user of its address', async () => {
    const answer = await site.visit('first');
    expect([answer.status, answer.data.email, answer.data.role]).toEqual([200, site.email('first'), 50]);
  });

  it('goes through with a signature by an elliptic curve', async () => {
    const team = testEnvironment.team.key;
    await testEnvironment.team.rotate('ES256');
    const other = await testEnvironment.site(await testEnvironment.start());
    expect((await other.visit('first')).status).toBe(200);
    // The key before it is published still.
    expect(
      (await other.get('/auth/me', { assertion: await other.assert('first', { key: team }) })).status,
    ).toBe(200);
    await testEnvironment.team.rotate();
    site = site.at(await testEnvironment.start());
  });

  it.each(['/auth/me', '/content/posts', '/settings', '/setup', '/admin/users', '/auth/logout'])(
    'is refused at %s without one, in plain text',
    async (path) => {
      const answer = await site.get(path);
      expect([answer.status, answer.type, answer.text]).toEqual([
        401,
        'text/plain; charset=utf-8',
        'No Access JWT present',
      ]);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['cache-control']).toContain('no-store');
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['another application', { aud: ['another'] }],
    ['no application', { aud: undefined }],
  ])('says that the audience is wrong when the assertion is for %s', async (_, claims) => {
    const answer = await me(await site.assert('first', { claims }));
    expect([answer.status, answer.text]).toEqual([401, 'JWT audience mismatch']);
  });

  it.each<[string, () => Promise<string>]>([
    ['is of another team', () => site.assert('first', { claims: { iss: 'https://other.example' } })],
    ['has expired', () => site.assert('first', { claims: { exp: minutes(-1) } })],
    ['never expires', () => site.assert('first', { claims: { exp: undefined } })],
    ['is not valid yet', () => site.assert('first', { claims: { nbf: minutes(5) } })],
    [
      'is signed with a key that only claims to be the team’s',
      async () =>
        site.assert('first', {
          key: await FakeAccessProvider.createKey(),
          kid: testEnvironment.team.key.kid,
        }),
    ],
    ['is not signed', async () => forged({ alg: 'none', kid: testEnvironment.team.key.kid }, () => '')],
    [
      'is signed with the public key as a secret',
      async () => {
        const secret = await exportSPKI(testEnvironment.team.key.publicKey);
        const header = { alg: 'HS256', kid: testEnvironment.team.key.kid };
        return forged(header, (text) => createHmac('sha256', secret).update(text).digest('base64url'));
      },
    ],
    [
      'was changed after it was signed',
      async () => {
        const [header, , signature] = (await site.assert('nobody')).split('.');
        return [header, base64(testEnvironment.team.claims(site.email('first'))), signature].join('.');
      },
    ],
    ['is nonsense', async () => 'nonsense'],
    ['is two', async () => [await site.assert('first'), await site.assert('first')].join(', ')],
  ])('is refused when its assertion %s', async (_, make) => {
    const answer = await me(await make());
    expect([answer.status, answer.text]).toEqual([401, 'Access JWT not valid']);
  });

  it.each<[string, unknown]>([
    ['no address: a program', undefined],
    ['what is no address', 'nobody'],
    ['an address that cannot be stored', 'a\u0000b@site.example'],
  ])('is refused when its assertion names %s', async (_, email) => {
    const answer = await me(await site.assert('first', { claims: { email } }));
    expect([answer.status, answer.text]).toEqual([403, 'User not authorized']);
  });

  it('is refused from the moment on that its assertion expires, whatever went through before', async () => {
    const now = Math.floor(Date.now() / 1000);
    const assertion = await site.assert('first', { claims: { exp: now + 2 } });
    expect((await me(assertion)).status).toBe(200);
    await new Promise((done) => setTimeout(done, 2_100));
    expect((await me(assertion)).text).toBe('Access JWT not valid');
  });

  it('has the keys fetched a few times at most, however many unknown ones are named', async () => {
    const before = testEnvironment.team.keyFetches;
    const assertion = await site.assert('first', { kid: 'unknown' });
    const rest = assertion.slice(assertion.indexOf('.') + 1);
    for (let batch = 0; batch < 20; batch += 1) {
      const answers = Array.from({ length: 50 }, (_, place) =>
        me(`${base64({ alg: 'RS256', kid: `${batch}-${place}` })}.${rest}`),
      );
      for (const { status } of await Promise.all(answers)) expect(status).toBe(401);
    }
    expect(testEnvironment.team.keyFetches - before).toBeLessThanOrEqual(2);
  });
});

describe('an installation that cannot have the keys', () => {
  const unavailable = [503, 'SERVICE_UNAVAILABLE'];

  it.each(['failing', 'silent'] as const)(
    'says so while the team is %s, and takes up work when it answers again',
    async (responseMode) => {
      const there = site.at(await testEnvironment.start());
      testEnvironment.team.responseMode = responseMode;
      const before = testEnvironment.team.keyFetches;
      const assertion = await site.assert('first');
      const ask = () => there.get('/auth/me', { assertion });
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      for (const { status, error } of answers) expect([status, error?.code]).toEqual(unavailable);
      expect(answers[0]?.headers['retry-after']).toBe('5');
      const next = await ask();
      expect([next.status, next.error?.code]).toEqual(unavailable);
      expect(testEnvironment.team.keyFetches - before).toBeLessThanOrEqual(2);
      // What needs no assertion is there all the while.
      expect((await there.get('/auth/mode')).status).toBe(200);
      testEnvironment.team.responseMode = 'answering';
      expect(await waitForChange(503, async () => (await ask()).status)).toBe(200);
    },
  );
});
