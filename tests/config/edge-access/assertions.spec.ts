import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeAccessProvider } from '@quire/testing';
import { exportSPKI } from 'jose';
import { useEdgeTestEnvironment, waitForChange, type EdgeSite } from './support.js';

const testEnvironment = useEdgeTestEnvironment();
let site: EdgeSite;

beforeAll(async () => {
  site = await testEnvironment.site(await testEnvironment.start());
  await site.visit('first');
});
afterEach(() => testEnvironment.stopAllExcept(site.origin));

const me = (assertion?: string) => site.get('/auth/me', { assertion });
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60;

/** An assertion with a chosen header and signature. */
function forged(header: object, sign: (text: string) => string): string {
  const text = `${base64(header)}.${base64(testEnvironment.team.claims(site.email('first')))}`;
  return `${text}.${sign(text)}`;
}

describe('protected request (document 1, Edge access mode; contract 29)', () => {
  it('is accepted with an assertion of the team, as the user of its address', async () => {
    const response = await site.visit('first');
    expect([response.status, response.data.email, response.data.role]).toEqual([
      200,
      site.email('first'),
      50,
    ]);
  });

  it('is accepted with an ES256 signature', async () => {
    const team = testEnvironment.team.key;
    await testEnvironment.team.rotate('ES256');
    const other = await testEnvironment.site(await testEnvironment.start());
    expect((await other.visit('first')).status).toBe(200);
    // The previous key is still published.
    expect(
      (await other.get('/auth/me', { assertion: await other.assert('first', { key: team }) })).status,
    ).toBe(200);
    await testEnvironment.team.rotate();
    site = site.at(await testEnvironment.start());
  });

  it.each(['/auth/me', '/content/posts', '/settings', '/setup', '/admin/users', '/auth/logout'])(
    'returns 401 at %s without an assertion, in plain text',
    async (path) => {
      const response = await site.get(path);
      expect([response.status, response.type, response.text]).toEqual([
        401,
        'text/plain; charset=utf-8',
        'No Access JWT present',
      ]);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.headers['cache-control']).toContain('no-store');
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['another application', { aud: ['another'] }],
    ['no application', { aud: undefined }],
  ])('returns 401 JWT audience mismatch when the assertion is for %s', async (_, claims) => {
    const response = await me(await site.assert('first', { claims }));
    expect([response.status, response.text]).toEqual([401, 'JWT audience mismatch']);
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
        const [header, , signature] = (await site.assert('other')).split('.');
        return [header, base64(testEnvironment.team.claims(site.email('first'))), signature].join('.');
      },
    ],
    ['is malformed', async () => 'malformed'],
    [
      'is a list of two assertions',
      async () => [await site.assert('first'), await site.assert('first')].join(', '),
    ],
  ])('returns 401 when its assertion %s', async (_, make) => {
    const response = await me(await make());
    expect([response.status, response.text]).toEqual([401, 'Access JWT not valid']);
  });

  it.each<[string, unknown]>([
    ['no address, as of a program', undefined],
    ['an invalid address', 'nobody'],
    ['an address that cannot be stored', 'a\u0000b@site.example'],
  ])('returns 403 when its assertion has %s', async (_, email) => {
    const response = await me(await site.assert('first', { claims: { email } }));
    expect([response.status, response.text]).toEqual([403, 'User not authorized']);
  });

  it('returns 401 once its assertion has expired, also after earlier requests', async () => {
    const now = Math.floor(Date.now() / 1000);
    const assertion = await site.assert('first', { claims: { exp: now + 2 } });
    expect((await me(assertion)).status).toBe(200);
    await new Promise((done) => setTimeout(done, 2_100));
    expect((await me(assertion)).text).toBe('Access JWT not valid');
  });

  it('fetches the keys at most twice for many unknown key ids', async () => {
    const before = testEnvironment.team.keyFetches;
    const assertion = await site.assert('first', { kid: 'unknown' });
    const rest = assertion.slice(assertion.indexOf('.') + 1);
    for (let batch = 0; batch < 20; batch += 1) {
      const responses = Array.from({ length: 50 }, (_, place) =>
        me(`${base64({ alg: 'RS256', kid: `${batch}-${place}` })}.${rest}`),
      );
      for (const { status } of await Promise.all(responses)) expect(status).toBe(401);
    }
    expect(testEnvironment.team.keyFetches - before).toBeLessThanOrEqual(2);
  });
});

describe('installation without access to the keys', () => {
  const unavailable = [503, 'SERVICE_UNAVAILABLE'];

  it.each(['failing', 'silent'] as const)(
    'returns 503 SERVICE_UNAVAILABLE while the team is %s, and recovers',
    async (responseMode) => {
      const restarted = site.at(await testEnvironment.start());
      testEnvironment.team.responseMode = responseMode;
      const before = testEnvironment.team.keyFetches;
      const assertion = await site.assert('first');
      const request = () => restarted.get('/auth/me', { assertion });
      const responses = await Promise.all(Array.from({ length: 20 }, request));
      for (const { status, error } of responses) expect([status, error?.code]).toEqual(unavailable);
      expect(responses[0]?.headers['retry-after']).toBe('5');
      const next = await request();
      expect([next.status, next.error?.code]).toEqual(unavailable);
      expect(testEnvironment.team.keyFetches - before).toBeLessThanOrEqual(2);
      // Paths without an assertion keep working.
      expect((await restarted.get('/auth/mode')).status).toBe(200);
      testEnvironment.team.responseMode = 'answering';
      expect(await waitForChange(503, async () => (await request()).status)).toBe(200);
    },
  );
});
