import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  openSite,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
  type Site,
} from '@quire/testing';

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
const created = async (name: string): Promise<Folder> => (await create(name)).data.item;

describe('createMediaFolder', () => {
  it('answers 201 with the folder, its name trimmed', async () => {
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
  ])('takes a name of %s', async (_, name) => {
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
  ])('refuses a name %s', async (_, name) => {
    const response = await create(name);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['name']);
  });

  it.each([
    ['case', 'Logos', 'LOGOS'],
    ['surrounding white space', 'Trimmed', '  Trimmed '],
    ['composition', 'Caf\u00e9', 'Cafe\u0301'],
    ['width', 'Wide', '\uff37\uff49\uff44\uff45'],
  ])('answers 409 CONFLICT to a name that differs by %s alone', async (_, first, second) => {
    expect((await create(first)).status).toBe(201);
    expect(statusAndCode(await create(second))).toEqual([409, 'CONFLICT']);
  });

  it('makes one folder of ten that are asked for at the same time', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(index % 2 ? 'Race' : 'rACE')),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });
});

describe('updateMediaFolder', () => {
  it('renames, also to the same name in another case', async () => {
    const { id } = await created('Before');
    for (const name of ['BEFORE', 'After']) {
      const response = await editor.put(`/media/folders/${id}`, { name });
      expect([response.status, response.data.item.id, response.data.item.name]).toEqual([200, id, name]);
    }
    expect((await create('before')).status).toBe(201);
  });

  it("answers 409 CONFLICT to another folder's name", async () => {
    await created('Taken');
    const { id } = await created('Mine');
    expect(statusAndCode(await editor.put(`/media/folders/${id}`, { name: 'taken ' }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect((await editor.get(`/media/folders/${id}`)).data.item.name).toBe('Mine');
  });

  it('refuses a blank name', async () => {
    const { id } = await created('Stays');
    expect(statusAndCode(await editor.put(`/media/folders/${id}`, { name: ' ' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('a folder that does not exist', () => {
  it.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'unfiled', 'x'])('is NOT_FOUND as %s', async (id) => {
    for (const response of [
      await editor.get(`/media/folders/${id}`),
      await editor.put(`/media/folders/${id}`, { name: 'Any' }),
      await editor.delete(`/media/folders/${id}`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it('is what a deleted one is', async () => {
    const { id } = await created('Gone');
    expect((await editor.delete(`/media/folders/${id}`)).data).toEqual({ deleted: true });
    expect(statusAndCode(await editor.delete(`/media/folders/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await create('gone')).status).toBe(201);
  });
});

describe('listMediaFolders', () => {
  let other: Site;
  let client: Client;
  const names = async (query: string) =>
    (await walkPages<Folder>(client, `/media/folders?${query}`)).map(({ name }) => name);
  beforeAll(async () => {
    other = await openSite();
    client = await other.as('editor');
    for (const name of ['beta', 'Alpha', 'alpha 2', '\u00c9clair', 'ecru', 'B%ta'])
      await client.post('/media/folders', { name });
  });
  afterAll(() => other.close());

  const inOrder = ['Alpha', 'alpha 2', 'B%ta', 'beta', 'ecru', '\u00c9clair'];

  it('sorts by normalised name and returns no cursor on the last page', async () => {
    const { data } = await client.get('/media/folders');
    expect(data.items.map(({ name }: Folder) => name)).toEqual(inOrder);
    expect(Object.keys(data)).toEqual(['items']);
  });

  it.each([1, 2, 5, 6])('walked in pages of %i gives each folder once, in order', async (limit) => {
    expect(await names(`limit=${limit}`)).toEqual(inOrder);
  });

  it.each([
    ['in another case', 'ALPHA', ['Alpha', 'alpha 2']],
    ['decomposed', 'e\u0301c', ['\u00c9clair']],
    ['with a per cent sign as such', '%', ['B%ta']],
    ['that stands nowhere', 'zzz', []],
  ])('with q finds a part of the name %s', async (_, q, expected) => {
    expect(await names(`q=${encodeURIComponent(q)}&limit=1`)).toEqual(expected);
  });

  it.each([
    ['limit=0', 'limit=0'],
    ['limit=101', 'limit=101'],
    ['limit=x', 'limit=x'],
    ['an empty q', 'q='],
    ['a q of 201 letters', `q=${'a'.repeat(201)}`],
  ])('refuses %s', async (_, query) => {
    expect(statusAndCode(await client.get(`/media/folders?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('refuses a cursor of another search, of another tenant, and what is none', async () => {
    const { nextCursor } = (await client.get('/media/folders?limit=1')).data;
    for (const response of [
      await client.get(`/media/folders?q=a&cursor=${nextCursor}`),
      await editor.get(`/media/folders?cursor=${nextCursor}`),
      await client.get('/media/folders?cursor=nothing'),
    ])
      expect(statusAndCode(response)).toEqual([400, 'INVALID_CURSOR']);
  });

  it('shows nothing of another tenant, which may use the same names', async () => {
    const { data } = await client.get('/media/folders');
    for (const { id } of data.items) expect((await editor.get(`/media/folders/${id}`)).status).toBe(404);
    expect((await create('beta')).status).toBe(201);
  });
});
