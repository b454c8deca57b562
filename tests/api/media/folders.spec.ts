import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, walkPages, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;
beforeAll(async () => {
  editor = await site.as('editor');
});

interface Folder {
  id: string;
  name: string;
}

const create = (name: unknown) => editor.post('/media/folders', { name });
const createdFolder = async (name: string): Promise<Folder> => (await create(name)).data.item;

describe('POST /media/folders', () => {
  it('returns 201 with the folder and its trimmed name', async () => {
    const response = await create('  Press  photos \n');
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      item: {
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        name: 'Press  photos',
        mediaCount: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    expect((await editor.get(`/media/folders/${response.data.item.id}`)).data).toEqual(response.data);
  });

  it.each([
    ['200 letters', 'a'.repeat(200)],
    ['200 characters of two UTF-16 units', '\u{1F5BC}'.repeat(200)],
    ['200 characters that normalise to 3600', '\ufdfa'.repeat(200)],
    ['200 letters and white space around', ` ${'b'.repeat(200)} `],
  ])('accepts a name of %s', async (_, name) => {
    expect((await create(name)).data.item.name).toBe(name.trim());
  });

  it.each([
    ['of 201 characters', 'a'.repeat(201)],
    ['of white space', ' \t\u00a0 '],
    ['that is empty', ''],
    ['with U+0000', 'a\0b'],
    ['that is a number', 5],
    ['that is null', null],
    ['that is missing', undefined],
  ])('returns 400 for a name %s', async (_, name) => {
    const response = await create(name);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['name']);
  });

  it.each([
    ['case', 'Logos', 'LOGOS'],
    ['surrounding white space', 'Trimmed', '  Trimmed '],
    ['composition', 'Caf\u00e9', 'Cafe\u0301'],
    ['width', 'Wide', '\uff37\uff49\uff44\uff45'],
  ])('returns 409 CONFLICT for a name that differs only by %s', async (_, first, second) => {
    expect((await create(first)).status).toBe(201);
    expect(statusAndCode(await create(second))).toEqual([409, 'CONFLICT']);
  });

  it('creates one folder when 10 requests race', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(index % 2 ? 'Race' : 'rACE')),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });
});

describe('PUT /media/folders/{id}', () => {
  it('renames a folder, also to the same name in another case', async () => {
    const { id } = await createdFolder('Before');
    for (const name of ['BEFORE', 'After']) {
      const response = await editor.put(`/media/folders/${id}`, { name });
      expect([response.status, response.data.item.id, response.data.item.name]).toEqual([200, id, name]);
    }
    expect((await create('before')).status).toBe(201);
  });

  it('returns 409 CONFLICT for the name of another folder', async () => {
    await createdFolder('Taken');
    const { id } = await createdFolder('Mine');
    expect(statusAndCode(await editor.put(`/media/folders/${id}`, { name: 'taken ' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect((await editor.get(`/media/folders/${id}`)).data.item.name).toBe('Mine');
  });

  it('returns 400 for a blank name', async () => {
    const { id } = await createdFolder('Stays');
    expect(statusAndCode(await editor.put(`/media/folders/${id}`, { name: ' ' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('requests for an unknown media folder', () => {
  it.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'unfiled', 'x'])('return 404 NOT_FOUND for %s', async (id) => {
    for (const response of [
      await editor.get(`/media/folders/${id}`),
      await editor.put(`/media/folders/${id}`, { name: 'Any' }),
      await editor.delete(`/media/folders/${id}`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it('return 404 after a deletion, which frees the name', async () => {
    const { id } = await createdFolder('Deleted');
    expect((await editor.delete(`/media/folders/${id}`)).data).toEqual({ deleted: true });
    expect(statusAndCode(await editor.delete(`/media/folders/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await create('deleted')).status).toBe(201);
  });
});

describe('GET /media/folders', () => {
  const other = useSite();
  let client: Client;
  const names = async (query: string) =>
    (await walkPages<Folder>(client, `/media/folders?${query}`)).map(({ name }) => name);
  beforeAll(async () => {
    client = await other.as('editor');
    for (const name of ['beta', 'Alpha', 'alpha 2', '\u00c9clair', 'ecru', 'B%ta'])
      await client.post('/media/folders', { name });
  });

  const inOrder = ['Alpha', 'alpha 2', 'B%ta', 'beta', 'ecru', '\u00c9clair'];

  it('sorts by normalised name and returns no cursor on the last page', async () => {
    const { data } = await client.get('/media/folders');
    expect(data.items.map(({ name }: Folder) => name)).toEqual(inOrder);
    expect(Object.keys(data)).toEqual(['items']);
  });

  it.each([1, 2, 5, 6])('returns each folder once, in order, in pages of %i', async (limit) => {
    expect(await names(`limit=${limit}`)).toEqual(inOrder);
  });

  it.each([
    ['in another case', 'ALPHA', ['Alpha', 'alpha 2']],
    ['decomposed', 'e\u0301c', ['\u00c9clair']],
    ['with a literal per cent sign', '%', ['B%ta']],
    ['without a match', 'zzz', []],
  ])('q finds a part of a name %s', async (_, q, expected) => {
    expect(await names(`q=${encodeURIComponent(q)}&limit=1`)).toEqual(expected);
  });

  it.each([
    ['limit=0', 'limit=0'],
    ['limit=101', 'limit=101'],
    ['limit=x', 'limit=x'],
    ['an empty q', 'q='],
    ['a q of 201 letters', `q=${'a'.repeat(201)}`],
  ])('returns 400 for %s', async (_, query) => {
    expect(statusAndCode(await client.get(`/media/folders?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 400 INVALID_CURSOR for a cursor of another search or tenant and for a malformed one', async () => {
    const { nextCursor } = (await client.get('/media/folders?limit=1')).data;
    for (const response of [
      await client.get(`/media/folders?q=a&cursor=${nextCursor}`),
      await editor.get(`/media/folders?cursor=${nextCursor}`),
      await client.get('/media/folders?cursor=nothing'),
    ])
      expect(statusAndCode(response)).toEqual([400, 'INVALID_CURSOR']);
  });

  it('returns no folder of another tenant, which can use the same names', async () => {
    const { data } = await client.get('/media/folders');
    for (const { id } of data.items) expect((await editor.get(`/media/folders/${id}`)).status).toBe(404);
    expect((await create('beta')).status).toBe(201);
  });
});
