import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, LoginStart, ProviderContext, Query } from '../../descriptor/login-provider.js';
import { atprotoSite, FakeAtproto, openAtprotoLogin } from '@quire/testing';
import { type AllowedAccounts } from '../index.js';

const { routesUrl } = atprotoSite;
const state = 'a-state';
const alice = { did: 'did:plc:alicealicealicealicealic', handle: 'alice.test' };
const web = { did: 'did:web:web.test', handle: 'web.test' };
const eve = { did: 'did:plc:eveeveeveeveeveeveeveeve', handle: 'eve.test' };

let fake: FakeAtproto;

/** A login with these lists of allowed accounts. */
const login = (allowed?: AllowedAccounts) => openAtprotoLogin(fake, { allowed });

function pendingOf({ kept }: LoginStart): Record<string, Json> {
  return kept?.pending as Record<string, Json>;
}

function route(path: string, from: ProviderContext, query: Query = {}) {
  const found = login().provider.routes?.find((one) => one.path === path);
  return found?.handle(from, { query, body: undefined });
}

beforeAll(async () => {
  fake = await FakeAtproto.start();
  const metadata = await route('client-metadata.json', atprotoSite);
  fake.serve(`${routesUrl}/client-metadata.json`, metadata?.body as object);
});
beforeAll(() => {
  for (const account of [alice, web, eve]) fake.addAccount(account);
});
afterEach(() => {
  fake.misbehaviour = {};
});
afterAll(() => fake.stop());

describe('login with an AT Protocol account', () => {
  it.each([
    ['by handle', alice.handle, alice],
    ['by handle as people write it', ` @${alice.handle.toUpperCase()}`, alice],
    ['by did:plc', alice.did, alice],
    ['by did:web', web.did, web],
  ])('by %s returns the DID, and the handle as the name', async (_, typed, { did, handle }) => {
    expect(await login().signIn(typed)).toEqual({ accountId: did, email: null, name: handle });
  });

  it('resolves a handle by its DNS record before its web server', async () => {
    fake.addTxt('_atproto.dns.test', 'unrelated', `did=${alice.did}`);
    fake.serve('https://dns.test/.well-known/atproto-did', eve.did);
    const { accountId } = await login().signIn('dns.test');
    expect(accountId).toBe(alice.did);
  });

  it('uses the web server when DNS records contradict each other', async () => {
    fake.addTxt(`_atproto.${web.handle}`, `did=${alice.did}`, `did=${eve.did}`);
    const { accountId } = await login().signIn(web.handle);
    fake.remove(`https://dns.test/_atproto.${web.handle}`);
    expect(accountId).toBe(web.did);
  });

  it('requests only the identity, of a client without a secret, with a pushed request', async () => {
    const { url } = await login().begin(alice.handle);
    const parameters = Object.fromEntries(new URL(url).searchParams);
    expect(Object.keys(parameters).sort()).toEqual(['client_id', 'request_uri']);
    expect(parameters.client_id).toBe(`${routesUrl}/client-metadata.json`);
  });

  it('revokes the tokens immediately', async () => {
    const before = fake.revocations();
    await login().signIn(alice.handle);
    expect(fake.revocations()).toBe(before + 1);
  });

  it('stores less than the limit of a provider', async () => {
    const { kept } = await login().begin(alice.handle);
    expect(JSON.stringify(kept).length).toBeLessThan(4096);
  });
});

describe('entered account name', () => {
  it.each(['', 'alice', 'https://pds.test', 'did:key:zabc'])(
    'is rejected when it is invalid: %j',
    async (typed) => {
      await expect(login().begin(typed)).rejects.toMatchObject({
        code: 'oauth_error',
        message: 'Enter a handle such as alice.bsky.social, or a DID.',
      });
    },
  );

  it('is rejected when the handle does not resolve', async () => {
    await expect(login().begin('nobody.test')).rejects.toMatchObject({
      code: 'oauth_error',
      message: 'No account was found for that handle.',
    });
  });

  it.each([
    ['not a DID', 'hello'],
    ['a DID of another method', 'did:key:zabc'],
    ['a page instead', `<html>${alice.did}</html>`],
    ['more than a DID', `${alice.did} ${eve.did}`],
  ])('is rejected when the web server of the handle returns %s', async (_, page) => {
    fake.serve('https://odd.test/.well-known/atproto-did', page);
    await expect(login().begin('odd.test')).rejects.toThrow('No account was found');
  });
});

describe('handle that its DID does not confirm', () => {
  const did = 'did:plc:mallorymallorymallorymal';
  const cases = [
    ['names another', 'other.test'],
    ['names none', null],
    ['names the handle of another account', alice.handle],
  ] as const;

  it.each(cases)('is not used as a name: the DID %s', async (_, claims) => {
    fake.addAccount({ did, handle: 'mallory.test', claims });
    expect(await login().signIn('mallory.test')).toEqual({ accountId: did, email: null, name: null });
  });

  it.each(cases)('does not match the lists: the DID %s', async (_, claims) => {
    fake.addAccount({ did, handle: 'mallory.test', claims });
    const allowedHandles = ['mallory.test', 'other.test', alice.handle];
    await expect(login({ allowedHandles }).begin('mallory.test')).rejects.toMatchObject({
      code: 'signup_not_allowed',
    });
    await expect(login({ allowedHandles }).begin(did)).rejects.toMatchObject({ code: 'signup_not_allowed' });
    expect((await login({ allowedHandles, allowedDIDs: [did] }).signIn('mallory.test')).accountId).toBe(did);
  });
});

describe('allowed account', () => {
  it.each<AllowedAccounts>([
    { allowedHandles: [alice.handle] },
    { allowedHandles: ['*.test.com', alice.handle] },
    { allowedDIDs: [alice.did] },
  ])('is accepted by the lists: %j', async (allowed) => {
    expect((await login(allowed).signIn(alice.handle)).accountId).toBe(alice.did);
    expect((await login(allowed).signIn(alice.did)).accountId).toBe(alice.did);
  });

  it.each<AllowedAccounts>([{ allowedHandles: [alice.handle] }, { allowedDIDs: [alice.did] }])(
    'is checked before the redirect of the browser: %j',
    async (allowed) => {
      for (const typed of [eve.handle, eve.did]) {
        await expect(login(allowed).begin(typed)).rejects.toMatchObject({
          code: 'signup_not_allowed',
          message: 'That account may not sign in here.',
        });
      }
    },
  );

  it('is resolved again at the callback', async () => {
    const did = 'did:plc:changechangechangechange';
    fake.addAccount({ did, handle: 'change.test' });
    const { begin, authorize, complete } = login({ allowedHandles: ['change.test'] });
    const start = await begin('change.test');
    const query = await authorize(start);
    fake.addAccount({ did, handle: 'change.test', claims: 'changed.test' });
    await expect(complete(start, query)).rejects.toMatchObject({ code: 'signup_not_allowed' });
  });

  it('is checked again at the callback with the present lists', async () => {
    const start = await login().begin(alice.handle);
    const query = await login().authorize(start);
    const closed = login({ allowedDIDs: [eve.did] }).complete(start, query);
    await expect(closed).rejects.toMatchObject({ code: 'signup_not_allowed' });
  });
});

describe('rejected login', () => {
  it('when the server returns another DID', async () => {
    fake.misbehaviour = { subject: eve.did };
    await expect(login().signIn(alice.handle)).rejects.toMatchObject({ code: 'profile_fetch_failed' });
  });

  it('when the server grants another scope', async () => {
    fake.misbehaviour = { scope: 'openid' };
    await expect(login().signIn(alice.handle)).rejects.toMatchObject({ code: 'token_exchange_failed' });
  });

  it('when the user declines', async () => {
    fake.misbehaviour = { denies: true };
    const { begin, authorize, complete } = login();
    const start = await begin(alice.handle);
    const query = await authorize(start);
    expect(query.error).toBe('access_denied');
    await expect(complete(start, query)).rejects.toMatchObject({ code: 'token_exchange_failed' });
  });

  it.each([
    ['comes from another server', 'https://evil.test'],
    ['does not name its server', null],
  ])('when the response %s', async (_, iss) => {
    fake.misbehaviour = { iss };
    await expect(login().signIn(alice.handle)).rejects.toMatchObject({ code: 'token_exchange_failed' });
  });

  it('when the response is for another request', async () => {
    const { begin, authorize, complete } = login();
    const start = await begin(alice.handle);
    const query = await authorize(start);
    await expect(complete(start, { ...query, state: 'another' })).rejects.toMatchObject({
      code: 'token_exchange_failed',
    });
  });

  it('when its code was used before', async () => {
    const { begin, authorize, complete } = login();
    const start = await begin(alice.handle);
    const query = await authorize(start);
    await complete(start, query);
    await expect(complete(start, query)).rejects.toMatchObject({ code: 'token_exchange_failed' });
  });

  it.each([
    ['PKCE', 'verifier'],
    ['DPoP', 'key'],
  ])('when its code belongs to another login (%s)', async (_, part) => {
    const { begin, authorize, complete } = login();
    const start = await begin(alice.handle);
    const query = await authorize(start);
    const another = await begin(alice.handle);
    const pending = { ...pendingOf(start), [part]: pendingOf(another)[part] as Json };
    await expect(complete({ ...start, kept: { ...start.kept, pending } }, query)).rejects.toMatchObject({
      code: 'token_exchange_failed',
    });
  });

  it('when the account has another authorization server since', async () => {
    fake.serveServer('https://moving.test', 'https://auth.test');
    const did = 'did:plc:movingmovingmovingmoving';
    fake.addAccount({ did, handle: 'moving.test', server: 'https://moving.test' });
    const { begin, authorize, complete } = login();
    const start = await begin(did);
    const query = await authorize(start);
    fake.serveServer('https://moving.test', 'https://elsewhere.test');
    await expect(complete(start, query)).rejects.toMatchObject({ code: 'profile_fetch_failed' });
  });
});

describe('routes', () => {
  const at = (origin: string): ProviderContext => {
    const base = `${origin}/_cms/api/auth/oauth/atproto`;
    return { ...atprotoSite, origin, routesUrl: base, callbackUrl: `${base}/callback` };
  };

  it('return the public metadata document', async () => {
    const provider = login().provider;
    expect(provider.publicPrefixes).toEqual(['client-metadata.json', 'loopback']);
    expect(await route('client-metadata.json', atprotoSite)).toMatchObject({
      status: 200,
      body: { client_id: `${routesUrl}/client-metadata.json` },
    });
  });

  it('return no document for a site on a developer’s machine', async () => {
    expect(await route('client-metadata.json', at('http://localhost:4321'))).toMatchObject({ status: 404 });
  });

  it('redirect a developer’s browser to localhost', async () => {
    const query = { code: 'a b', state, iss: 'https://auth.test' };
    expect(await route('loopback', at('http://127.0.0.1:4321'), query)).toEqual({
      status: 302,
      headers: {
        location:
          'http://localhost:4321/_cms/api/auth/oauth/atproto/callback?' +
          `code=a+b&state=${state}&iss=https%3A%2F%2Fauth.test`,
      },
    });
  });

  it.each(['https://site.test', 'http://10.0.0.5'])(
    'do not redirect to localhost from %s',
    async (origin) => {
      expect(await route('loopback', at(origin))).toMatchObject({ status: 404 });
    },
  );

  it('do not start on a site that is reached over http elsewhere', async () => {
    const provider = login().provider;
    const beginning = provider.begin(at('http://10.0.0.5'), { query: { handle: alice.handle }, state });
    await expect(beginning).rejects.toMatchObject({ code: 'oauth_error' });
  });
});
