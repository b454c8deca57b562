import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type Client } from '@quire/testing';
import { ulid } from '@quire/values';

const site = useSite();
let author: Client;
let editor: Client;
beforeAll(async () => {
  [author, editor] = [await site.as('author'), await site.as('editor')];
});

const view = { name: 'My drafts', search: 'view=draft&q=a', isShared: false };
const save = (id: string, body: object = view, client = author, collection = 'posts') =>
  client.put(`/panel/views/${collection}/${id}`, body);
const remove = async (id: string, client = author, collection = 'posts') =>
  client.delete(`/panel/views/${collection}/${id}`);
const names = async (client = author, collection = 'posts') =>
  (await client.get(`/panel/views/${collection}`)).data.items.map(({ name }: { name: string }) => name);

describe('/panel/views/{collection}/{id}', () => {
  it('saves a view of its owner once, replaces and deletes it', async () => {
    const id = ulid();
    const { item } = (await save(id)).data;
    expect(item).toEqual({
      ...view,
      id,
      ownerId: expect.any(String),
      updatedAt: expect.stringMatching(/Z$/),
    });
    await save(id, { ...view, name: 'Renamed' });
    expect((await author.get('/panel/views/posts')).data.items).toEqual([
      { ...item, name: 'Renamed', updatedAt: expect.stringMatching(/Z$/) },
    ]);
    expect(await names(author, 'pages')).toEqual([]);
    expect((await remove(id)).data).toEqual({ deleted: true, id });
    expect(await names()).toEqual([]);
    expect(statusAndCode(await remove(id))).toEqual([404, 'NOT_FOUND']);
  });

  it('shows shared views to all users of the panel, own ones to their owner, by name', async () => {
    const [shared, own] = [ulid(), ulid()];
    await save(shared, { ...view, name: 'Shared', isShared: true }, editor);
    await save(own, { ...view, name: 'Editor only' }, editor);
    await save(ulid(), { ...view, name: 'Author only' });
    expect(await names()).toEqual(['Author only', 'Shared']);
    expect(await names(editor)).toEqual(['Editor only', 'Shared']);
    expect(await names(await site.as('contributor'))).toEqual(['Shared']);
  });

  it('lets only editors share, and nobody change the view of another user', async () => {
    const [shared, hidden] = [ulid(), ulid()];
    expect(statusAndCode(await save(ulid(), { ...view, isShared: true }))).toEqual([403, 'FORBIDDEN']);
    await save(shared, { ...view, name: 'S', isShared: true }, editor, 'notes');
    await save(hidden, { ...view, name: 'H' }, editor, 'notes');
    expect(statusAndCode(await save(shared, view, author, 'notes'))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await save(hidden, view, author, 'notes'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await remove(shared, author, 'notes'))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await remove(hidden, author, 'notes'))).toEqual([404, 'NOT_FOUND']);
    const admin = await site.as('admin');
    expect(statusAndCode(await remove(hidden, admin, 'notes'))).toEqual([404, 'NOT_FOUND']);
    expect((await remove(shared, admin, 'notes')).status).toBe(200);
    expect(await names(editor, 'notes')).toEqual(['H']);
  });

  it('does not move a view to another collection', async () => {
    const id = ulid();
    await save(id, view, editor, 'first');
    expect(statusAndCode(await save(id, view, editor, 'second'))).toEqual([409, 'CONFLICT']);
    expect(await names(editor, 'second')).toEqual([]);
  });

  it('saves up to 100 views of a user and a collection', async () => {
    const user = await site.another('author', 'collector');
    const ids = Array.from({ length: 100 }, () => ulid());
    for (const id of ids) expect((await save(id, view, user)).status).toBe(200);
    expect(statusAndCode(await save(ulid(), view, user))).toEqual([409, 'CONFLICT']);
    expect((await save(String(ids[0]), { ...view, name: 'Changed' }, user)).status).toBe(200);
    expect((await save(ulid(), view, user, 'pages')).status).toBe(200);
  });

  it('rejects ids, names and searches of another form', async () => {
    const pathsOf = async (id: string, body: object) => issuePaths(await save(id, { ...view, ...body }));
    expect(await pathsOf('x', {})).toEqual(['id']);
    expect(await pathsOf(ulid(), { name: ' ' })).toEqual(['name']);
    expect(await pathsOf(ulid(), { name: 'x'.repeat(81) })).toEqual(['name']);
    expect(await pathsOf(ulid(), { search: 'x'.repeat(2001) })).toEqual(['search']);
    expect(await pathsOf(ulid(), { search: '\u0000' })).toEqual(['search']);
  });

  it('needs the permission to read drafts, and for tokens the scope admin', async () => {
    const outcome = async (client: Client) => statusAndCode(await client.get('/panel/views/posts'));
    expect(await outcome(await site.as('subscriber'))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(await site.withScopes('admin', ['content:read']))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await outcome(site.anonymous())).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('shows nothing of another site', async () => {
    await save(ulid(), { ...view, isShared: true }, editor);
    const other = await openSite();
    try {
      expect(await names(await other.as('admin'))).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
