import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, type Client } from '@quire/testing';
import { Browser, locationOf, loginErrorOf, sessionOf, stateOf } from './support.js';

const site = useSite();
let visitor: Client;
beforeAll(async () => {
  await site.as('admin');
  visitor = site.anonymous();
});

const own = '/auth/oauth/handle';

describe('providers in GET /auth/mode (contract 30)', () => {
  it('are in configured order, buttons before forms, without those that have no credentials', async () => {
    const { providers } = (await visitor.get('/auth/mode')).data;
    const names = providers.filter(({ id }: { id: string }) => !id.startsWith('faulty-'));
    expect(names).toEqual([
      { id: 'google', label: 'Google' },
      { id: 'github', label: 'GitHub' },
      { id: 'atproto', label: 'AT Protocol' },
      { id: 'handle', label: 'Handle' },
    ]);
    expect(providers.at(-1).id).toBe('handle');
  });
});

describe('login provider of another package (document 1, Login methods 4)', () => {
  it('receives the fields of its form and stores them until the callback', async () => {
    const browser = new Browser(site);
    const redirect = await browser.leave('handle', { handle: 'ann.example', redirect: '/_cms/admin' });
    expect(locationOf(redirect)).toBe(
      `https://handles.example/authorize?state=${stateOf(locationOf(redirect))}`,
    );
    const records = await site.sql("SELECT value FROM provider_records WHERE collection = 'logins'");
    expect(records).toEqual([{ value: { handle: 'ann.example' } }]);
  });

  it('reports its own error message', async () => {
    const response = await new Browser(site).leave('handle');
    const { searchParams } = new URL(locationOf(response), 'http://a.example');
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'oauth_error', message: 'Say your handle' });
  });

  it('does not leak its secrets when it fails', async () => {
    const response = await new Browser(site).leave('handle', { handle: 'broken' });
    expect(loginErrorOf(response)).toBe('oauth_error');
    expect(locationOf(response)).not.toContain('secret');
    const route = await visitor.get(`${own}/open/broken`);
    expect(route.status).toBe(400);
    expect(JSON.stringify(route.body)).not.toContain('secret');
  });

  it('serves its own routes', async () => {
    const response = await visitor.get(`${own}/client-metadata.json`);
    const routes = `http://${site.host}/_cms/api${own}`;
    expect(response.body).toEqual({
      client_id: `${routes}/client-metadata.json`,
      redirect_uris: [`${routes}/callback`],
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('requires a session for its private routes', async () => {
    expect(statusAndCode(await visitor.get(`${own}/inner`))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(statusAndCode(await (await site.as('admin')).get(`${own}/inner`))).toEqual([403, 'FORBIDDEN']);
    const response = await (await site.signedIn('subscriber')).get(`${own}/inner`);
    expect([response.status, response.body, response.headers.get('content-type')]).toEqual([
      200,
      'inside',
      'text/plain',
    ]);
  });

  it('returns 404 for unknown routes and for its routes at other providers', async () => {
    for (const path of [
      `${own}/nothing`,
      '/auth/oauth/google/client-metadata.json',
      '/auth/oauth/nobody/x',
      '/auth/oauth/unset/x',
    ])
      expect(statusAndCode(await visitor.get(path))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await visitor.post(`${own}/client-metadata.json`, {}))).toEqual([404, 'NOT_FOUND']);
  });

  it('stores documents per site until they expire, and take returns each once', async () => {
    const notes = (at: Client) => ({
      put: async (key: string, note: unknown) => (await at.post(`${own}/open/notes?key=${key}`, note)).body,
      take: async (key: string) => (await at.post(`${own}/open/notes?key=${key}&take=1`)).body,
    });
    const { put, take } = notes(visitor);
    expect(await put('a', { text: 'one\u0000' })).toEqual({ before: null });
    expect(await put('a', { text: 'two' })).toEqual({ before: { text: 'one\u0000' } });
    const other = await openSite();
    expect(await notes(other.anonymous()).take('a')).toEqual({ taken: null });
    await other.close();
    const taken = await Promise.all([take('a'), take('a'), take('a')]);
    expect(taken.filter((response) => JSON.stringify(response) === '{"taken":{"text":"two"}}')).toHaveLength(
      1,
    );
    await put('b', { text: 'three' });
    await site.sql("UPDATE provider_records SET expires_at = now() - interval '1 second' WHERE key = 'b'");
    expect(await take('b')).toEqual({ taken: null });
    // Stored numbers take more bytes than in the request.
    const rawBody = `{"text":[${Array.from({ length: 4_000 }, () => '1e20').join()}]}`;
    const huge = await visitor.post(`${own}/open/notes?key=c`, {}, { rawBody });
    expect(huge.status).toBe(400);
    expect(await take('c')).toEqual({ taken: null });
  });

  it('consumes the attempt when it fails in the callback', async () => {
    const browser = new Browser(site);
    const state = stateOf(locationOf(await browser.leave('handle', { handle: 'ann' })));
    await site.sql("DELETE FROM provider_records WHERE collection = 'logins'");
    const responses = [
      await browser.returnFromProvider('handle', { state }),
      await browser.returnFromProvider('handle', { state }),
    ];
    expect(responses.map(loginErrorOf)).toEqual(['oauth_error', 'invalid_state']);
    expect(responses.map(sessionOf)).toEqual([undefined, undefined]);
  });
});
