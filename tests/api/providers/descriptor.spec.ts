import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Client, type Site } from '@quire/testing';
import { Browser, locationOf, refusalOf, sessionOf, stateOf } from './browser.js';

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

  it('says in its own words why somebody does not get in', async () => {
    const answer = await new Browser(site).leave('handle');
    const { searchParams } = new URL(locationOf(answer), 'http://a.example');
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'oauth_error', message: 'Say your handle' });
  });

  it('that fails tells nobody its secrets', async () => {
    const answer = await new Browser(site).leave('handle', { handle: 'broken' });
    expect(refusalOf(answer)).toBe('oauth_error');
    expect(locationOf(answer)).not.toContain('secret');
    const route = await visitor.get(`${own}/open/broken`);
    expect(route.status).toBe(400);
    expect(JSON.stringify(route.body)).not.toContain('secret');
  });

  it('serves addresses of its own', async () => {
    const answer = await visitor.get(`${own}/client-metadata.json`);
    const routes = `http://${site.host}/_cms/api${own}`;
    expect(answer.body).toEqual({
      client_id: `${routes}/client-metadata.json`,
      redirect_uris: [`${routes}/callback`],
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('serves what is not public to people who have signed in alone', async () => {
    expect(outcome(await visitor.get(`${own}/inner`))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(outcome(await (await site.as('admin')).get(`${own}/inner`))).toEqual([403, 'FORBIDDEN']);
    const answer = await (await site.signedIn('subscriber')).get(`${own}/inner`);
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([
      200,
      'inside',
      'text/plain',
    ]);
  });

  it('has nothing at other addresses, and other providers have nothing at these', async () => {
    for (const path of [
      `${own}/nothing`,
      '/auth/oauth/google/client-metadata.json',
      '/auth/oauth/nobody/x',
      '/auth/oauth/unset/x',
    ])
      expect(outcome(await visitor.get(path))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await visitor.post(`${own}/client-metadata.json`, {}))).toEqual([404, 'NOT_FOUND']);
  });

  it('keeps documents for one site and a while, and gives one that is taken to one', async () => {
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

  it('has its login used up when it fails on the way back', async () => {
    const browser = new Browser(site);
    const state = stateOf(locationOf(await browser.leave('handle', { handle: 'ann' })));
    await site.sql("DELETE FROM provider_records WHERE collection = 'logins'");
    const answers = [
      await browser.comeBack('handle', { state }),
      await browser.comeBack('handle', { state }),
    ];
    expect(answers.map(refusalOf)).toEqual(['oauth_error', 'invalid_state']);
    expect(answers.map(sessionOf)).toEqual([undefined, undefined]);
  });
});
