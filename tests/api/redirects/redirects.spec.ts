import { describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode } from '@quire/testing';
import { useRedirects } from './support.js';

const redirects = useRedirects();

describe('POST /redirects', () => {
  it('returns 201 with every property', async () => {
    const { status, data } = await redirects.create('/old', '/new');
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
    expect((await redirects.admin.get(`/redirects/${data.id}`)).data).toEqual(data);
  });

  it('stores every property of the request', async () => {
    const more = { type: 307, enabled: false, groupName: ' Campaigns ' };
    expect((await redirects.create('/old?p=1', '/new?x=1#part', more)).data).toMatchObject({
      source: '/old?p=1',
      destination: '/new?x=1#part',
      type: 307,
      enabled: false,
      groupName: 'Campaigns',
    });
  });

  it.each([301, 302, 307, 308, '301', '302', '307', '308'])('accepts the type %j', async (type) => {
    expect((await redirects.create('/old', '/new', { type })).data.type).toBe(Number(type));
  });

  it.each([410, 451, '410', '451'])('stores no destination for the type %j', async (type) => {
    const created = await redirects.create('/old', '/new', { type });
    expect([created.status, created.data.destination, created.data.type]).toEqual([201, '', Number(type)]);
    expect((await redirects.admin.post('/redirects', { source: '/older', type })).data.destination).toBe('');
  });

  it.each([300, 303, 404, '', '3o1', 301.5, null, true])('rejects the type %j', async (type) => {
    const response = await redirects.create('/old', '/new', { type });
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], ['type']]);
  });

  it.each([301, 302, 307, 308])('requires a destination for the type %i', async (type) => {
    for (const destination of [undefined, '']) {
      const response = await redirects.admin.post('/redirects', { source: '/old', destination, type });
      expect([statusAndCode(response), issuePaths(response)]).toEqual([
        [400, 'VALIDATION_ERROR'],
        ['destination'],
      ]);
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
  ])('rejects %j as a source and as a destination', async (path) => {
    const asSource = await redirects.create(path, '/new');
    expect([statusAndCode(asSource), issuePaths(asSource)]).toEqual([[400, 'VALIDATION_ERROR'], ['source']]);
    const asDestination = await redirects.create('/old', path);
    expect([statusAndCode(asDestination), issuePaths(asDestination)]).toEqual([
      [400, 'VALIDATION_ERROR'],
      ['destination'],
    ]);
  });

  it('accepts paths of 2048 characters', async () => {
    const long = `/${'x'.repeat(2_047)}`;
    expect((await redirects.create(long, '/new')).status).toBe(201);
    expect((await redirects.create('/old', long)).status).toBe(201);
    expect((await redirects.create(`/a/[x]/${'y'.repeat(2_030)}`, '/new')).status).toBe(201);
  });

  it.each<[object, string[]]>([
    [{}, ['source']],
    [{ source: '/a', destination: '/b', enabled: 'yes' }, ['enabled']],
    [{ source: '/a', destination: '/b', groupName: 'x'.repeat(201) }, ['groupName']],
    [{ source: '/a', destination: '/b', groupName: 'x\u0000' }, ['groupName']],
    [{ source: '/a#part', destination: '/b' }, ['source']],
  ])('rejects %j with the path of each issue', async (body, paths) => {
    const response = await redirects.admin.post('/redirects', body);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], paths]);
  });

  it('ignores unknown keys, hits and auto', async () => {
    const { data } = await redirects.create('/old', '/new', {
      hits: 9,
      auto: true,
      isPattern: true,
      surprise: 1,
    });
    expect(data).toMatchObject({ hits: 0, auto: false, isPattern: false });
  });

  it('stores an empty group as null', async () => {
    expect((await redirects.create('/old', '/new', { groupName: '  ' })).data.groupName).toBeNull();
  });

  it('returns 409 CONFLICT for a taken source in any spelling, enabled or not', async () => {
    await redirects.create('/café', '/new', { enabled: false });
    expect(statusAndCode(await redirects.create('/café', '/other'))).toEqual([409, 'CONFLICT']);
    expect(statusAndCode(await redirects.create('/caf%c3%a9', '/other'))).toEqual([409, 'CONFLICT']);
    await redirects.create('/blog/[slug]', '/articles');
    expect(statusAndCode(await redirects.create('/blog/[id]', '/other'))).toEqual([409, 'CONFLICT']);
    expect((await redirects.create('/café/', '/other')).status).toBe(201);
    expect((await redirects.create('/Café', '/other')).status).toBe(201);
  });

  it('creates one rule for 8 concurrent requests with the same source', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => redirects.create('/old', `/new-${index}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await redirects.admin.get('/redirects')).data.items).toHaveLength(1);
  });

  it('creates a pattern from a source with placeholders', async () => {
    expect((await redirects.create('/blog/[slug]', '/articles/[slug]')).data.isPattern).toBe(true);
    expect((await redirects.create('/files/[...rest]', '/archive/[...rest]')).data.isPattern).toBe(true);
  });

  it.each([
    ['/blog/[slug]', '/articles/[id]', 'destination'],
    ['/blog', '/articles/[slug]', 'destination'],
    ['/[a]/[a]', '/b', 'source'],
    ['/[...rest]/a', '/b', 'source'],
    ['/a-[b]', '/b', 'source'],
    ['/[]', '/b', 'source'],
    ['/[a]?x=1', '/b', 'source'],
  ])('rejects the placeholders of %s to %s', async (source, destination, path) => {
    const response = await redirects.create(source, destination);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
  });
});

describe('PUT /redirects/{id}', () => {
  it('updates only the properties of the request', async () => {
    const before = await redirects.createRule('/old', '/new', { groupName: 'G', type: 302 });
    const { status, data } = await redirects.update(before.id, { destination: '/newer' });
    expect(status).toBe(200);
    expect(data).toEqual({ ...before, destination: '/newer', updatedAt: expect.any(String) });
    expect(data.updatedAt >= before.createdAt).toBe(true);
    expect((await redirects.admin.get(`/redirects/${before.id}`)).data).toEqual(data);
  });

  it('accepts every key of POST /redirects', async () => {
    const { id } = await redirects.createRule('/old');
    const body = { source: '/[a]/x', destination: '/y/[a]', type: '308', enabled: false, groupName: 'G' };
    expect((await redirects.update(id, body)).data).toMatchObject({ ...body, type: 308, isPattern: true });
    expect(
      (await redirects.update(id, { source: '/plain', destination: '/y', groupName: null })).data,
    ).toMatchObject({
      isPattern: false,
      groupName: null,
    });
    expect(await redirects.destinationOf('/q/x')).toBeNull();
  });

  it.each([{}, { surprise: 1 }])('rejects %j: at least one key is required', async (body) => {
    const { id } = await redirects.createRule('/old');
    expect(statusAndCode(await redirects.update(id, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('validates the resulting rule as a whole', async () => {
    const { id } = await redirects.createRule('/blog/[slug]', '/articles/[slug]');
    const renamed = await redirects.update(id, { source: '/blog/[id]' });
    expect([statusAndCode(renamed), issuePaths(renamed)]).toEqual([
      [400, 'VALIDATION_ERROR'],
      ['destination'],
    ]);
    const permanent = await redirects.update(id, { type: 410 });
    expect(permanent.data).toMatchObject({ type: 410, destination: '' });
    const restored = await redirects.update(id, { type: 301 });
    expect([statusAndCode(restored), issuePaths(restored)]).toEqual([
      [400, 'VALIDATION_ERROR'],
      ['destination'],
    ]);
    expect((await redirects.update(id, { type: 301, destination: '/a/[slug]' })).status).toBe(200);
  });

  it.each<[object, string]>([
    [{ source: null }, 'source'],
    [{ source: '//evil.example' }, 'source'],
    [{ destination: 'javascript:alert(1)' }, 'destination'],
    [{ type: 404 }, 'type'],
    [{ enabled: 1 }, 'enabled'],
  ])('rejects %j', async (body, place) => {
    const { id } = await redirects.createRule('/old');
    const response = await redirects.update(id, body);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [place]]);
  });

  it("returns 409 CONFLICT for the source of another rule and accepts the rule's own", async () => {
    await redirects.createRule('/one');
    const { id } = await redirects.createRule('/two');
    expect(statusAndCode(await redirects.update(id, { source: '/one' }))).toEqual([409, 'CONFLICT']);
    expect((await redirects.update(id, { source: '/two', destination: '/three' })).status).toBe(200);
  });

  it('keeps auto and hits of an automatic rule', async () => {
    const { id } = await redirects.createRule('/old');
    await redirects.site.sql('UPDATE redirects SET auto = true, hits = 7');
    expect((await redirects.update(id, { source: '/older', destination: '/newer' })).data).toMatchObject({
      auto: true,
      hits: 7,
    });
  });

  it('returns 404 for an unknown id and for a concurrently deleted rule', async () => {
    expect(statusAndCode(await redirects.update('01JNOTHING', { enabled: false }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    for (let round = 0; round < 5; round += 1) {
      const { id } = await redirects.createRule('/old');
      const [updated, deleted] = await Promise.all([
        redirects.update(id, { destination: '/x' }),
        redirects.admin.delete(`/redirects/${id}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(updated.status);
    }
  });
});

describe('GET and DELETE /redirects/{id}', () => {
  it('return 404 NOT_FOUND for an unknown id and 400 for an invalid one', async () => {
    expect(statusAndCode(await redirects.admin.get('/redirects/01JNOTHING'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await redirects.admin.delete('/redirects/01JNOTHING'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await redirects.admin.get(`/redirects/${'x'.repeat(65)}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('DELETE deletes a rule once', async () => {
    const { id } = await redirects.createRule('/old');
    const { status, data } = await redirects.admin.delete(`/redirects/${id}`);
    expect([status, data]).toEqual([200, { deleted: true }]);
    expect(statusAndCode(await redirects.admin.delete(`/redirects/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await redirects.create('/old')).status).toBe(201);
  });
});
