import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, type Client, type Site } from '@quire/testing';
import { Browser, locationOf, loginErrorOf, sessionOf, stateOf } from './support.js';

let site: Site;
let visitor: Client;
beforeAll(async () => {
  site = await openSite();
  await site.as('admin');
  visitor = site.anonymous();
});
afterAll(() => site.close());

const own = '/auth/oauth/handle';

describe('login providers that a site lists (contract 30)', () => {
  it('are named in the order of the list, buttons before forms, without those that have no credentials', async () => {
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

describe('a login provider of another package (document 1, Login methods 4)', () => {
  it('gets what its form asks for, and keeps it until the browser is back', async () => {
    const browser = new Browser(site);
    const left = await browser.leave('handle', { handle: 'ann.example', redirect: '/_cms/admin' });
    expect(locationOf(left)).toBe(`https://handles.example/authorize?state=${stateOf(locationOf(left))}`);
    const kept = await site.sql("SELECT value FROM provider_records WHERE collection = 'logins'");
    expect(kept).toEqual([{ value: { handle: 'ann.example' } }]);
  });

  it('reports its own error message', async () => {
    const answer = await new Browser(site).leave('handle');
    const { searchParams } = new URL(locationOf(answer), 'http://a.example');
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'oauth_error', message: 'Say your handle' });
  });

  it('does not leak its secrets when it fails', async () => {
    const answer = await new Browser(site).leave('handle', { handle: 'broken' });
    expect(loginErrorOf(answer)).toBe('oauth_error');
    expect(locationOf(answer)).not.toContain('secret');
    const route = await visitor.get(`${own}/open/broken`);
    expect(route.status).toBe(400);
    expect(JSON.stringify(route.body)).not.toContain('secret');
  });

  it('serves its own routes', async () => {
    const answer = await visitor.get(`${own}/client-metadata.json`);
    const routes = `http://${site.host}/_cms/api${own}`;
    expect(answer.body).toEqual({
      client_id: `${routes}/client-metadata.json`,
      redirect_uris: [`${routes}/callback`],
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('requires a session for routes that are not public', async () => {
    expect(statusAndCode(await visitor.get(`${own}/inner`))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(statusAndCode(await (await site.as('admin')).get(`${own}/inner`))).toEqual([403, 'FORBIDDEN']);
    const answer = await (await site.signedIn('subscriber')).get(`${own}/inner`);
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([
      200,
      'inside',
      'text/plain',
    ]);
  });

  it('returns 404 for other routes, and other providers for these', async () => {
    for (const path of [
      `${own}/nothing`,
      '/auth/oauth/google/client-metadata.json',
      '/auth/oauth/nobody/x',
      '/auth/oauth/unset/x',
    ])
      expect(statusAndCode(await visitor.get(path))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await visitor.post(`${own}/client-metadata.json`, {}))).toEqual([404, 'NOT_FOUND']);
  });

  it('stores documents per site until they expire, and hands each taken one out once', async () => {
    const notes = (at: Client) => ({
      put: async (key: string, note: unknown) => (await at.post(`${own}/open/notes?key=${key}`, note)).body,
      take: async (key: string) => (await at.post(`${own}/open/notes?key=${key}&take=1`)).body,
    });
    const { put, take } = notes(visitor);
    expect(await put('a', { text: 'one\u0000' })).toEqual({ before: null });
    expect(await put('a', { text: 'two' })).toEqual({ before: { text: 'one\u0000' } });
    const neighbour = await openSite();
    expect(await notes(neighbour.anonymous()).take('a')).toEqual({ taken: null });
    await neighbour.close();
    const taken = await Promise.all([take('a'), take('a'), take('a')]);
    expect(taken.filter((answer) => JSON.stringify(answer) === '{"taken":{"text":"two"}}')).toHaveLength(1);
    await put('b', { text: 'three' });
    await site.sql("UPDATE provider_records SET expires_at = now() - interval '1 second' WHERE key = 'b'");
    expect(await take('b')).toEqual({ taken: null });
    // Numbers take more room as they are stored than as they are sent.
    const rawBody = `{"text":[${Array.from({ length: 4_000 }, () => '1e20').join()}]}`;
    const huge = await visitor.post(`${own}/open/notes?key=c`, {}, { rawBody });
    expect(huge.status).toBe(400);
    expect(await take('c')).toEqual({ taken: null });
  });

  it('consumes the attempt when it fails in the callback', async () => {
    const browser = new Browser(site);
    const state = stateOf(locationOf(await browser.leave('handle', { handle: 'ann' })));
    await site.sql("DELETE FROM provider_records WHERE collection = 'logins'");
    const answers = [
      await browser.returnFromProvider('handle', { state }),
      await browser.returnFromProvider('handle', { state }),
    ];
    expect(answers.map(loginErrorOf)).toEqual(['oauth_error', 'invalid_state']);
    expect(answers.map(sessionOf)).toEqual([undefined, undefined]);
  });
});
