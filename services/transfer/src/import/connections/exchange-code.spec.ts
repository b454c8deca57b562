import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { GuardedFetch } from '@quire/outgoing-http';
import { ConnectionError } from './connection-error.js';
import { exchangeCode } from './exchange-code.js';

const code = {
  code: 'the-code',
  redirectUri: 'https://quire.example/callback',
  codeVerifier: 'the-verifier',
};
const exchange = (fetch: GuardedFetch) =>
  exchangeCode({ fetch, clientId: '77', clientSecret: 'the-secret' }, code);
const failureOf = (fetch: GuardedFetch): Promise<unknown> =>
  exchange(fetch).then(
    () => undefined,
    (error: unknown) => error,
  );
const answer =
  (value: object, status = 200): GuardedFetch =>
  () =>
    Promise.resolve(Response.json(value, { status }));
const granted = { access_token: 'the-token', token_type: 'Bearer' };

describe('exchangeCode', () => {
  it('returns the token with the site that it is valid for', async () => {
    const site = { blog_id: 12, blog_url: 'https://ann.example' };
    expect(await exchange(answer({ ...granted, ...site }))).toEqual({
      accessToken: 'the-token',
      siteId: '12',
      siteUrl: 'https://ann.example',
    });
  });

  it.each([{}, { blog_id: null, blog_url: null }, { blog_id: 0, blog_url: 'javascript:x' }])(
    'leaves out what is no site: %j',
    async (site) => {
      expect(await exchange(answer({ ...granted, ...site }))).toEqual({
        accessToken: 'the-token',
        siteId: undefined,
        siteUrl: undefined,
      });
    },
  );

  it.each<[string, GuardedFetch]>([
    ['an error', answer({ error: 'invalid_grant', code: 'the-code', access_token: 'the-token' }, 400)],
    ['an invalid token', answer({ ...granted, access_token: 'the-token\n' })],
    ['a server error', answer({ access_token: 'the-token' }, 500)],
    ['a failed request', (_, request) => Promise.reject(new Error(String(request?.body)))],
  ])('has no secrets in the error after %s', async (_, fetch) => {
    const error = await failureOf(fetch);
    expect(error).toBeInstanceOf(ConnectionError);
    const text = inspect(error, { depth: 9 });
    for (const secret of ['the-code', 'the-verifier', 'the-secret', 'the-token'])
      expect(text).not.toContain(secret);
  });
});
