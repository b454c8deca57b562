import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HostedInstallation, type Answer } from './hosted-installation.fixture.js';
import { client, siteUrl, type HostedEdition } from './hosted-edition.fixture.js';

let test: HostedInstallation;
let hosted: HostedEdition;
let otherToken: string;

beforeAll(async () => {
  test = await HostedInstallation.start('hosted_import');
  hosted = test.hosted;
  otherToken = await test.createToken('other@site.example');
});

afterEach(() => {
  test.tokenRequests = {};
  hosted.tokenResponse = undefined;
});

afterAll(() => test.stop());

const send: HostedInstallation['send'] = (...request) => test.send(...request);

const probe = async (): Promise<string> => {
  const { data } = await send('POST', '/import/probe', { url: siteUrl });
  const { suggestedAction, bestMatch } = data.result;
  expect([suggestedAction.type, suggestedAction.provider]).toEqual(['oauth', 'legacy-com']);
  expect(bestMatch.suggestedAction).toEqual(suggestedAction);
  expect(bestMatch.auth.oauthUrl).toBe(suggestedAction.url);
  return String(suggestedAction.url);
};
const callback = ({ pathname, search }: URL, bearer?: string) =>
  send('GET', `${pathname.replace('/_cms/api', '')}${search}`, undefined, bearer);
/** What the import panel gets. */
const panelOf = ({ location }: Answer) => {
  const { pathname, searchParams } = new URL(location, 'http://site.example');
  expect([pathname, searchParams.get('source')]).toEqual(['/_cms/admin/import', 'legacy-com']);
  return Object.fromEntries(searchParams);
};
const errorOf = (answer: Answer) => [answer.status, panelOf(answer)['error']];
const connect = async (): Promise<string> => {
  const { connection = '' } = panelOf(await callback(await hosted.authorize(await probe())));
  return connection;
};

const formOf = (input: object, config?: object) => {
  const form = new FormData();
  form.set('input', JSON.stringify(input));
  if (config) form.set('config', JSON.stringify(config));
  return form;
};
const path = '/import/sources/legacy-com';
const analyze = (input: object, bearer?: string, source = path) =>
  send('POST', `${source}/analyze`, formOf(input), bearer);
const connections = async (bearer?: string) =>
  (await send('GET', '/import/connections', undefined, bearer)).data.items as { id: string }[];

describe('an import of a connected site (spec document 3, rule 1)', () => {
  it('leads from the probe to the provider, back to the panel, and to the entries', async () => {
    const address = new URL(await probe());
    expect(address.origin + address.pathname).toBe('https://public-api.wordpress.com/oauth2/authorize');
    expect(address.searchParams.get('redirect_uri')).toBe(
      `${test.origin}/_cms/api/import/sources/legacy-com/callback`,
    );
    expect(address.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(address.searchParams.get('code_challenge_method')).toBe('S256');

    const returned = await callback(await hosted.authorize(address.href));
    expect(returned.status).toBe(302);
    const { connection, ...rest } = panelOf(returned);
    expect(rest).toEqual({ source: 'legacy-com' });

    const input = { type: 'oauth', connection };
    const analysis = await analyze(input);
    expect(analysis.data).toMatchObject({
      site: { url: siteUrl },
      postTypes: [{ name: 'post', count: 2, suggestedCollection: 'posts' }],
    });
    await send('POST', '/import/legacy/prepare', { postTypes: [{ name: 'post', collection: 'posts' }] });
    const config = { postTypeMappings: { post: { collection: 'posts' } } };
    const executed = await send('POST', `${path}/execute`, formOf(input, config));
    expect(executed.data).toMatchObject({ imported: 2, failed: 0 });
    const entries = (await send('GET', '/content/posts?limit=10')).data.items;
    expect(entries.map(({ slug, status }: Record<string, string>) => `${slug} ${status}`).sort()).toEqual([
      'post-1 published',
      'post-2 draft',
    ]);
  });

  it('accepts an access token in place of a connection', async () => {
    await connect();
    const accessToken = hosted.accessTokens.at(-1);
    const input = { type: 'oauth', url: siteUrl, accessToken, siteId: '4711' };
    expect((await analyze(input)).data.postTypes).toHaveLength(1);
    const wrong = await analyze({ ...input, accessToken: 'other' });
    expect([wrong.status, wrong.code]).toEqual([
      (await analyze({ ...input, siteId: '5' })).status,
      'IMPORT_ERROR',
    ]);
    expect(wrong.text).toContain('connect the site again');
  });
});

describe('a connection', () => {
  it('is replaced when the site is connected again', async () => {
    const first = await connect();
    expect(await connect()).toBe(first);
    expect((await connections()).map(({ id }) => id)).toEqual([first]);
  });

  it('is stored without its token in plain text, and never returned with it', async () => {
    const id = await connect();
    const rows = await (await test.tables()).query('SELECT * FROM import_connections');
    const listed = await send('GET', '/import/connections');
    expect(listed.data.items).toEqual([
      { id, source: 'legacy-com', siteId: '4711', siteUrl, createdAt: expect.any(String) },
    ]);
    for (const accessToken of hosted.accessTokens) {
      expect(JSON.stringify(rows)).not.toContain(accessToken);
      expect(listed.text).not.toContain(accessToken);
    }
  });

  it('belongs to its user', async () => {
    const connection = await connect();
    expect(await connections(otherToken)).toEqual([]);
    const answers = [
      await analyze({ type: 'oauth', connection }, otherToken),
      await send('DELETE', `/import/connections/${connection}`, undefined, otherToken),
    ];
    expect(answers.map(({ status, code }) => [status, code])).toEqual(Array(2).fill([404, 'NOT_FOUND']));
    expect((await analyze({ type: 'oauth', connection })).status).toBe(200);
  });

  it('belongs to its source', async () => {
    const connection = await connect();
    const { status } = await analyze({ type: 'oauth', connection }, undefined, '/import/sources/legacy-rest');
    expect(status).toBe(404);
  });

  it('is deleted with its token', async () => {
    const connection = await connect();
    expect((await send('DELETE', `/import/connections/${connection}`)).data).toEqual({ deleted: true });
    expect(await connections()).toEqual([]);
    expect((await analyze({ type: 'oauth', connection })).code).toBe('NOT_FOUND');
    expect((await send('DELETE', `/import/connections/${connection}`)).code).toBe('NOT_FOUND');
  });
});

describe('GET /import/sources/legacy-com/callback', () => {
  it('reports a user who denied access, and consumes the request', async () => {
    const returned = await hosted.authorize(await probe(), 'deny');
    expect(errorOf(await callback(returned))).toEqual([302, 'oauth_denied']);
    returned.searchParams.delete('error');
    returned.searchParams.set('code', 'any');
    expect(errorOf(await callback(returned))).toEqual([302, 'invalid_state']);
  });

  it('reports another error of the provider', async () => {
    const address = new URL(await probe());
    address.searchParams.set('client_id', 'other');
    expect(errorOf(await callback(await hosted.authorize(address.href)))).toEqual([302, 'oauth_error']);
  });

  it.each(['state', 'code'])('rejects an address without %s', async (name) => {
    const returned = await hosted.authorize(await probe());
    returned.searchParams.delete(name);
    expect(errorOf(await callback(returned))).toEqual([302, 'invalid_callback']);
  });

  it('accepts a state once', async () => {
    const returned = await hosted.authorize(await probe());
    expect(panelOf(await callback(returned))['connection']).toBeDefined();
    expect(errorOf(await callback(returned))).toEqual([302, 'invalid_state']);
  });

  it('rejects the state of another user, who can still complete the request', async () => {
    const returned = await hosted.authorize(await probe());
    const before = hosted.accessTokens.length;
    expect(errorOf(await callback(returned, otherToken))).toEqual([302, 'invalid_state']);
    expect(hosted.accessTokens).toHaveLength(before);
    expect(panelOf(await callback(returned))['connection']).toBeDefined();
  });

  it('rejects a state after 10 minutes', async () => {
    const returned = await hosted.authorize(await probe());
    const sql = await test.tables();
    const [row] = await sql.query<{ minutes: number }>(
      `SELECT round(extract(epoch FROM max(expires_at) - now()) / 60)::int AS minutes
       FROM import_authorization_requests`,
    );
    expect(row?.minutes).toBeLessThanOrEqual(10);
    await sql.query("UPDATE import_authorization_requests SET expires_at = now() - interval '1 second'");
    expect(errorOf(await callback(returned))).toEqual([302, 'invalid_state']);
    await probe();
    const expired = await sql.query('SELECT 1 FROM import_authorization_requests WHERE expires_at < now()');
    expect(expired).toEqual([]);
  });

  it('reports a code that the provider does not accept', async () => {
    const returned = await hosted.authorize(await probe());
    returned.searchParams.set('code', 'forged');
    expect(errorOf(await callback(returned))).toEqual([302, 'token_exchange_failed']);
  });

  it.each<[string, number, string, string]>([
    ['no JSON', 200, '<html>', 'token_exchange_failed'],
    ['no token', 200, '{}', 'token_exchange_failed'],
    ['a token of another type', 200, '{"access_token":"x","token_type":"mac"}', 'token_exchange_failed'],
    ['a server error', 503, '', 'provider_unavailable'],
    ['too many requests', 429, '', 'provider_unavailable'],
  ])('reports %s from the token endpoint', async (_, status, body, code) => {
    hosted.tokenResponse = (response) => response.writeHead(status).end(body);
    const returned = await callback(await hosted.authorize(await probe()));
    expect(errorOf(returned)).toEqual([302, code]);
    expect(returned.location).not.toContain(client.clientSecret);
  });

  it('does not send the client secret to the target of a redirect', async () => {
    hosted.tokenResponse = (response) => response.writeHead(307, { location: '/elsewhere' }).end();
    const returned = await callback(await hosted.authorize(await probe()));
    expect(errorOf(returned)).toEqual([302, 'provider_unavailable']);
    expect(hosted.requested).toContain('/oauth2/token');
    expect(hosted.requested).not.toContain('/elsewhere');
  });

  it('reports a provider that does not respond', async () => {
    hosted.tokenResponse = () => undefined;
    test.tokenRequests = { timeoutMs: 100 };
    const returned = await callback(await hosted.authorize(await probe()));
    expect(errorOf(returned)).toEqual([302, 'provider_timeout']);
  });

  it('reports a provider that is down', async () => {
    test.tokenRequests = { address: 'http://127.0.0.1:1' };
    const returned = await callback(await hosted.authorize(await probe()));
    expect(errorOf(returned)).toEqual([302, 'provider_unavailable']);
  });
});
