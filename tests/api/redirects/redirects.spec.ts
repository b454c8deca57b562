import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, outcome, walkPages, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM redirects');
});
afterAll(() => site.close());

const create = (source: unknown, destination: unknown = '/new', more: object = {}) =>
  admin.post('/redirects', { source, destination, ...more });
const update = (id: string, body: unknown) => admin.put(`/redirects/${id}`, body);
const made = async (source: string, destination = '/new', more: object = {}) => {
  const answer = await create(source, destination, more);
  if (answer.status !== 201) throw new Error(`Refused: ${JSON.stringify(answer.body)}`);
  return answer.data as { id: string; source: string; createdAt: string };
};
const lead = async (path: string) =>
  (await admin.get(`/redirects/resolve?path=${encodeURIComponent(path)}`)).data.redirect?.destination ?? null;
const sources = (items: { source: string }[]) => items.map(({ source }) => source);

describe('createRedirect', () => {
  it('answers 201 with every property', async () => {
    const { status, data } = await create('/old', '/new');
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      source: '/old',
      destination: '/new',
      type: 301,
      isPattern: false,
      enabled: true,
      hits: 0,
      lastHitAt: null,
      groupName: null,
      auto: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await admin.get(`/redirects/${data.id}`)).data).toEqual(data);
  });

  it('stores what is sent', async () => {
    const more = { type: 307, enabled: false, groupName: ' Campaigns ' };
    expect((await create('/old?p=1', '/new?x=1#part', more)).data).toMatchObject({
      source: '/old?p=1',
      destination: '/new?x=1#part',
      type: 307,
      enabled: false,
      groupName: 'Campaigns',
    });
  });

  it.each([301, 302, 307, 308, '301', '302', '307', '308'])('takes the type %j', async (type) => {
    expect((await create('/old', '/new', { type })).data.type).toBe(Number(type));
  });

  it.each([410, 451, '410', '451'])('keeps no destination for the type %j', async (type) => {
    const sent = await create('/old', '/new', { type });
    expect([sent.status, sent.data.destination, sent.data.type]).toEqual([201, '', Number(type)]);
    expect((await admin.post('/redirects', { source: '/older', type })).data.destination).toBe('');
  });

  it.each([300, 303, 404, '', '3o1', 301.5, null, true])('refuses the type %j', async (type) => {
    const answer = await create('/old', '/new', { type });
    expect([outcome(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], ['type']]);
  });

  it.each([301, 302, 307, 308])('needs a destination for the type %i', async (type) => {
    for (const destination of [undefined, '']) {
      const answer = await admin.post('/redirects', { source: '/old', destination, type });
      expect([outcome(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], ['destination']]);
    }
  });

  it.each([
    'javascript:alert(1)',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%2Fevil.example',
    'evil.example',
    '/a\r\nSet-Cookie: x=1',
    '/a%0D%0ASet-Cookie: x=1',
    '/\t/evil.example',
    '/a/../b',
    '/a/%2e%2e/b',
    '/a\u0000b',
    `/${'x'.repeat(2_048)}`,
    7,
    null,
  ])('refuses %j as a source and as a destination', async (path) => {
    const asSource = await create(path, '/new');
    expect([outcome(asSource), issuePaths(asSource)]).toEqual([[400, 'VALIDATION_ERROR'], ['source']]);
    const asDestination = await create('/old', path);
    expect([outcome(asDestination), issuePaths(asDestination)]).toEqual([
      [400, 'VALIDATION_ERROR'],
      ['destination'],
    ]);
  });

  it('takes paths of 2048 characters', async () => {
    const long = `/${'x'.repeat(2_047)}`;
    expect((await create(long, '/new')).status).toBe(201);
    expect((await create('/old', long)).status).toBe(201);
    expect((await create(`/a/[x]/${'y'.repeat(2_030)}`, '/new')).status).toBe(201);
  });

  it.each<[object, string[]]>([
    [{}, ['source']],
    [{ source: '/a', destination: '/b', enabled: 'yes' }, ['enabled']],
    [{ source: '/a', destination: '/b', groupName: 'x'.repeat(201) }, ['groupName']],
    [{ source: '/a', destination: '/b', groupName: 'x\u0000' }, ['groupName']],
    [{ source: '/a#part', destination: '/b' }, ['source']],
  ])('refuses %j and names the place', async (body, paths) => {
    const answer = await admin.post('/redirects', body);
    expect([outcome(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], paths]);
  });

  it('drops keys that it does not know, and never takes hits or auto', async () => {
    const { data } = await create('/old', '/new', { hits: 9, auto: true, isPattern: true, surprise: 1 });
    expect(data).toMatchObject({ hits: 0, auto: false, isPattern: false });
  });

  it('takes an empty group as none', async () => {
    expect((await create('/old', '/new', { groupName: '  ' })).data.groupName).toBeNull();
  });

  it('answers 409 CONFLICT for a source that has a rule, however it is spelled, enabled or not', async () => {
    await create('/café', '/new', { enabled: false });
    expect(outcome(await create('/café', '/other'))).toEqual([409, 'CONFLICT']);
    expect(outcome(await create('/caf%c3%a9', '/other'))).toEqual([409, 'CONFLICT']);
    await create('/blog/[slug]', '/articles');
    expect(outcome(await create('/blog/[id]', '/other'))).toEqual([409, 'CONFLICT']);
    expect((await create('/café/', '/other')).status).toBe(201);
    expect((await create('/Café', '/other')).status).toBe(201);
  });

  it('makes one rule when many ask for the same source at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create('/old', `/new-${index}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await admin.get('/redirects')).data.items).toHaveLength(1);
  });

  it('makes a pattern of a source with placeholders', async () => {
    expect((await create('/blog/[slug]', '/articles/[slug]')).data.isPattern).toBe(true);
    expect((await create('/files/[...rest]', '/archive/[...rest]')).data.isPattern).toBe(true);
  });

  it.each([
    ['/blog/[slug]', '/articles/[id]', 'destination'],
    ['/blog', '/articles/[slug]', 'destination'],
    ['/[a]/[a]', '/b', 'source'],
    ['/[...rest]/a', '/b', 'source'],
    ['/a-[b]', '/b', 'source'],
    ['/[]', '/b', 'source'],
    ['/[a]?x=1', '/b', 'source'],
  ])('refuses the placeholders of %s to %s', async (source, destination, place) => {
    const answer = await create(source, destination);
    expect([outcome(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], [place]]);
  });
});

describe('redirects that never end', () => {
  const refused = [400, 'VALIDATION_ERROR'];

  it('are refused when source and destination are equal, enabled or not', async () => {
    expect(outcome(await create('/a', '/a'))).toEqual(refused);
    expect(outcome(await create('/a', '/a#part'))).toEqual(refused);
    expect(outcome(await create('/a', '/a', { enabled: false }))).toEqual(refused);
    expect(outcome(await create('/a', '/a?x=1'))).toEqual(refused);
  });

  it('are refused through a chain, and nothing of them is stored', async () => {
    await made('/a', '/b');
    await made('/b', '/c');
    await made('/c', '/d');
    const answer = await create('/d', '/a');
    expect([outcome(answer), issuePaths(answer)]).toEqual([refused, ['destination']]);
    expect((await admin.get('/redirects')).data.items).toHaveLength(3);
    expect((await create('/d', '/e')).status).toBe(201);
  });

  it('are refused through a chain of many rules', async () => {
    for (let step = 0; step < 30; step += 1) await made(`/step-${step}`, `/step-${step + 1}`);
    expect(outcome(await create('/step-30', '/step-0'))).toEqual(refused);
    expect((await create('/start', '/step-0')).status).toBe(201);
  });

  it('are refused between patterns, and where one path runs through a pattern', async () => {
    await made('/a/[x]', '/b/[x]');
    expect(outcome(await create('/b/[y]', '/a/[y]'))).toEqual(refused);
    expect(outcome(await create('/b/first', '/a/first'))).toEqual(refused);
    expect((await create('/b/first', '/c/first')).status).toBe(201);
    expect(outcome(await create('/[...rest]', '/closed'))).toEqual(refused);
  });

  it('are refused when a pattern closes the circle of single paths', async () => {
    await made('/b/first', '/a/first');
    expect(outcome(await create('/a/[x]', '/b/[x]'))).toEqual(refused);
  });

  it('are refused to an update, by destination, by source and by enabling', async () => {
    await made('/a', '/b');
    const back = await made('/b', '/c');
    const off = await made('/c', '/d');
    expect(outcome(await update(back.id, { destination: '/a' }))).toEqual(refused);
    expect(outcome(await update(off.id, { source: '/x', destination: '/x' }))).toEqual(refused);
    await update(off.id, { destination: '/a', enabled: false });
    expect(outcome(await update(off.id, { enabled: true }))).toEqual(refused);
    expect((await admin.get(`/redirects/${off.id}`)).data).toMatchObject({
      destination: '/a',
      enabled: false,
    });
    const last = await made('/z', '/a');
    expect(outcome(await update(last.id, { source: '/c' }))).toEqual([409, 'CONFLICT']);
    await admin.delete(`/redirects/${off.id}`);
    expect(outcome(await update(last.id, { source: '/c' }))).toEqual(refused);
  });

  it('do not count rules that are off, or that say gone', async () => {
    await made('/a', '/b', { enabled: false });
    expect((await create('/b', '/a')).status).toBe(201);
    await made('/c', '', { type: 410 });
    expect((await create('/d', '/c')).status).toBe(201);
  });

  it('are refused to two who each close half of the circle at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [`/one-${round}`, `/other-${round}`];
      const answers = await Promise.all([create(one, other), create(other, one)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are named by the list where a deletion uncovered them, and can still be renamed and mended', async () => {
    const cover = await made('/a/first', '/fine');
    const pattern = await made('/a/[x]', '/b/[x]');
    const exact = await made('/b/first', '/a/first');
    const bystander = await made('/in', '/a/first');
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
    await admin.delete(`/redirects/${cover.id}`);
    const { data } = await admin.get('/redirects?limit=1');
    expect(data.loopRedirectIds).toEqual([pattern.id, exact.id].sort());
    expect(data.loopRedirectIds).not.toContain(bystander.id);
    expect((await update(exact.id, { groupName: 'Broken' })).status).toBe(200);
    expect((await update(exact.id, { destination: '/c' })).status).toBe(200);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });
});

describe('updateRedirect', () => {
  it('changes what is sent and nothing else', async () => {
    const before = await made('/old', '/new', { groupName: 'G', type: 302 });
    const { status, data } = await update(before.id, { destination: '/newer' });
    expect(status).toBe(200);
    expect(data).toEqual({ ...before, destination: '/newer', updatedAt: expect.any(String) });
    expect(data.updatedAt >= before.createdAt).toBe(true);
    expect((await admin.get(`/redirects/${before.id}`)).data).toEqual(data);
  });

  it('takes every key of create', async () => {
    const { id } = await made('/old');
    const body = { source: '/[a]/x', destination: '/y/[a]', type: '308', enabled: false, groupName: 'G' };
    expect((await update(id, body)).data).toMatchObject({ ...body, type: 308, isPattern: true });
    expect((await update(id, { source: '/plain', destination: '/y', groupName: null })).data).toMatchObject({
      isPattern: false,
      groupName: null,
    });
    expect(await lead('/q/x')).toBeNull();
  });

  it.each([{}, { surprise: 1 }])('refuses %j: at least one key', async (body) => {
    const { id } = await made('/old');
    expect(outcome(await update(id, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('checks the rule as a whole', async () => {
    const { id } = await made('/blog/[slug]', '/articles/[slug]');
    const renamed = await update(id, { source: '/blog/[id]' });
    expect([outcome(renamed), issuePaths(renamed)]).toEqual([[400, 'VALIDATION_ERROR'], ['destination']]);
    const gone = await update(id, { type: 410 });
    expect(gone.data).toMatchObject({ type: 410, destination: '' });
    const back = await update(id, { type: 301 });
    expect([outcome(back), issuePaths(back)]).toEqual([[400, 'VALIDATION_ERROR'], ['destination']]);
    expect((await update(id, { type: 301, destination: '/a/[slug]' })).status).toBe(200);
  });

  it.each<[object, string]>([
    [{ source: null }, 'source'],
    [{ source: '//evil.example' }, 'source'],
    [{ destination: 'javascript:alert(1)' }, 'destination'],
    [{ type: 404 }, 'type'],
    [{ enabled: 1 }, 'enabled'],
  ])('refuses %j', async (body, place) => {
    const { id } = await made('/old');
    const answer = await update(id, body);
    expect([outcome(answer), issuePaths(answer)]).toEqual([[400, 'VALIDATION_ERROR'], [place]]);
  });

  it('answers 409 CONFLICT for the source of another rule, and takes its own', async () => {
    await made('/one');
    const { id } = await made('/two');
    expect(outcome(await update(id, { source: '/one' }))).toEqual([409, 'CONFLICT']);
    expect((await update(id, { source: '/two', destination: '/three' })).status).toBe(200);
  });

  it('keeps an automatic rule automatic, with its hits', async () => {
    const { id } = await made('/old');
    await site.sql('UPDATE redirects SET auto = true, hits = 7');
    expect((await update(id, { source: '/older', destination: '/newer' })).data).toMatchObject({
      auto: true,
      hits: 7,
    });
  });

  it('answers 404 for an unknown id, and for one that was deleted meanwhile', async () => {
    expect(outcome(await update('01JNOTHING', { enabled: false }))).toEqual([404, 'NOT_FOUND']);
    for (let round = 0; round < 5; round += 1) {
      const { id } = await made('/old');
      const [updated, deleted] = await Promise.all([
        update(id, { destination: '/x' }),
        admin.delete(`/redirects/${id}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(updated.status);
    }
  });
});

describe('getRedirect and deleteRedirect', () => {
  it('answer 404 NOT_FOUND for what is not there', async () => {
    expect(outcome(await admin.get('/redirects/01JNOTHING'))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await admin.delete('/redirects/01JNOTHING'))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await admin.get(`/redirects/${'x'.repeat(65)}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('delete once', async () => {
    const { id } = await made('/old');
    const { status, data } = await admin.delete(`/redirects/${id}`);
    expect([status, data]).toEqual([200, { deleted: true }]);
    expect(outcome(await admin.delete(`/redirects/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await create('/old')).status).toBe(201);
  });
});

describe('listRedirects', () => {
  it('shows the newest first, page by page, none twice and none left out', async () => {
    for (let index = 0; index < 7; index += 1) await made(`/old-${index}`);
    // Ties are broken by id.
    await site.sql("UPDATE redirects SET created_at = '2025-01-01Z' WHERE source < '/old-5'");
    const all = (await admin.get('/redirects')).data;
    expect(all).not.toHaveProperty('nextCursor');
    expect(sources(all.items).slice(0, 2)).toEqual(['/old-6', '/old-5']);
    const ids = all.items.slice(2).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(sources(await walkPages(admin, '/redirects?limit=2'))).toEqual(sources(all.items));
    expect(await walkPages(admin, '/redirects?limit=7')).toHaveLength(7);
  });

  it('filters by text of source and destination, literally, whatever the case', async () => {
    await made('/alpha', '/one');
    await made('/beta', '/ALPHA-two');
    await made('/100%25', '/percent');
    await made('/a_b', '/underscore');
    const found = async (search: string) =>
      sources((await admin.get(`/redirects?search=${encodeURIComponent(search)}`)).data.items);
    expect(await found('Alpha')).toEqual(['/beta', '/alpha']);
    expect(await found('%')).toEqual(['/100%25']);
    expect(await found('_')).toEqual(['/a_b']);
    expect(await found("x' OR '1'='1")).toEqual([]);
  });

  it('filters by group, enabled and auto, together', async () => {
    await made('/a', '/x', { groupName: 'G' });
    await made('/b', '/x', { groupName: 'G', enabled: false });
    await made('/c', '/x');
    await site.sql("UPDATE redirects SET auto = true WHERE source = '/c'");
    const found = async (query: string) => sources((await admin.get(`/redirects?${query}`)).data.items);
    expect(await found('group=G')).toEqual(['/b', '/a']);
    expect(await found('group=')).toEqual(['/c']);
    expect(await found('enabled=true')).toEqual(['/c', '/a']);
    expect(await found('enabled=false')).toEqual(['/b']);
    expect(await found('auto=true')).toEqual(['/c']);
    expect(await found('auto=false&group=G&enabled=true&search=a')).toEqual(['/a']);
    expect(await found('group=H')).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'enabled=yes',
    'auto=1',
    'search=',
    `search=${'x'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    expect(outcome(await admin.get(`/redirects?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('refuses a cursor of other filters, of another list or of nobody', async () => {
    for (let index = 0; index < 3; index += 1) await made(`/old-${index}`);
    const { nextCursor } = (await admin.get('/redirects?limit=1')).data;
    const invalid = [400, 'INVALID_CURSOR'];
    expect((await admin.get(`/redirects?limit=2&cursor=${nextCursor}`)).status).toBe(200);
    expect(outcome(await admin.get(`/redirects?enabled=true&cursor=${nextCursor}`))).toEqual(invalid);
    expect(outcome(await admin.get(`/redirects/404s?cursor=${nextCursor}`))).toEqual(invalid);
    expect(outcome(await admin.get('/redirects?cursor=nonsense'))).toEqual(invalid);
    const scope = (JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[])[0];
    for (const position of [
      [scope, 'no time', 'x'],
      [scope, 7, 'x'],
      [scope, '2025-01-01T00:00:00Z', 'x\u0000'],
    ]) {
      const forged = Buffer.from(JSON.stringify(position)).toString('base64url');
      expect(outcome(await admin.get(`/redirects?cursor=${forged}`))).toEqual(invalid);
    }
  });
});

describe('who may see and change redirects (contract 5)', () => {
  it.each([
    ['subscriber', 403, 403],
    ['contributor', 403, 403],
    ['author', 403, 403],
    ['editor', 200, 403],
    ['admin', 200, 200],
  ] as const)('%s: read %i, change %i', async (role, reading, changing) => {
    const client = await site.as(role);
    const { id } = await made('/old');
    expect((await client.get('/redirects')).status).toBe(reading);
    expect((await client.get(`/redirects/${id}`)).status).toBe(reading);
    const changes = [
      await client.post('/redirects', { source: '/x', destination: '/y' }),
      await client.put(`/redirects/${id}`, { enabled: false }),
      await client.delete(`/redirects/${id}`),
    ];
    expect(changes.map(({ status }) => (status === 201 ? 200 : status))).toEqual(changes.map(() => changing));
  });

  it('nobody without a credential, and no token without the scope admin', async () => {
    const narrow = await site.withScopes('admin', ['content:read', 'content:write', 'settings:manage']);
    for (const [client, expected] of [
      [site.anonymous(), [401, 'NOT_AUTHENTICATED']],
      [narrow, [403, 'INSUFFICIENT_SCOPE']],
    ] as const) {
      expect(outcome(await client.get('/redirects'))).toEqual(expected);
      expect(outcome(await client.get('/redirects/x'))).toEqual(expected);
      expect(outcome(await client.post('/redirects', { source: '/x', destination: '/y' }))).toEqual(expected);
      expect(outcome(await client.put('/redirects/x', { enabled: true }))).toEqual(expected);
      expect(outcome(await client.delete('/redirects/x'))).toEqual(expected);
    }
  });

  it('not the neighbour: each site has its own', async () => {
    const neighbour = await openSite();
    const theirs = await neighbour.as('admin');
    const { id } = await made('/old');
    expect((await theirs.get('/redirects')).data).toEqual({ items: [] });
    expect(outcome(await theirs.get(`/redirects/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await theirs.put(`/redirects/${id}`, { enabled: false }))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await theirs.delete(`/redirects/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.get('/redirects/resolve?path=/old')).data).toEqual({ redirect: null });
    expect((await theirs.post('/redirects', { source: '/new', destination: '/old' })).status).toBe(201);
    const cursorOf = async (client: Client) => (await client.get('/redirects?limit=1')).data.nextCursor;
    await made('/older');
    expect(outcome(await theirs.get(`/redirects?limit=1&cursor=${await cursorOf(admin)}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    await neighbour.close();
  });
});
