import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  makeImage,
  openSite,
  outcome,
  uploadFile,
  type Answer,
  type Client,
  type Site,
  type TestRole,
} from '@quire/testing';

let site: Site;
let itemId: string;
let folderId: string;
beforeAll(async () => {
  site = await openSite();
  const admin = await site.as('admin');
  itemId = await upload(admin);
  folderId = (await admin.post('/media/folders', { name: 'One' })).data.item.id;
});
afterAll(() => site.close());

const upload = async (client: Client): Promise<string> =>
  (await uploadFile(client, { bytes: await makeImage(), type: 'image/png' })).data.item.id;

type Call = (client: Client) => Promise<Answer>;
const reads: [string, Call][] = [
  ['listMedia', (client) => client.get('/media')],
  ['getMedia', (client) => client.get(`/media/${itemId}`)],
  ['listMediaFolders', (client) => client.get('/media/folders')],
  ['getMediaFolder', (client) => client.get(`/media/folders/${folderId}`)],
];
// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const uploads: [string, Call][] = [
  ['uploadMedia', (client) => client.post('/media')],
  ['getMediaUploadUrl', (client) => client.post('/media/upload-url', {})],
  ['uploadPendingMedia', (client) => client.put('/media/nothing/upload')],
  ['confirmMediaUpload', (client) => client.post('/media/nothing/confirm')],
];
const changes: [string, Call][] = [
  ['updateMedia', (client) => client.put('/media/nothing', {})],
  ['deleteMedia', (client) => client.delete('/media/nothing')],
  ['replaceMediaImage', (client) => client.put('/media/nothing/replace')],
];
const folderWrites: [string, Call][] = [
  ['createMediaFolder', (client) => client.post('/media/folders', { name: 'one' })],
  ['updateMediaFolder', (client) => client.put('/media/folders/nothing', { name: 'x' })],
  ['deleteMediaFolder', (client) => client.delete('/media/folders/nothing')],
];
const writes = [...uploads, ...changes, ...folderWrites];

const everybody: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const lowest: [string, number, Call][] = [
  ...reads.map(([name, call]): [string, number, Call] => [name, 0, call]),
  ...uploads.map(([name, call]): [string, number, Call] => [name, 1, call]),
  ...changes.map(([name, call]): [string, number, Call] => [name, 2, call]),
  ...folderWrites.map(([name, call]): [string, number, Call] => [name, 3, call]),
];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('roles', () => {
  it.each(lowest)('%s is for those from role number %i upwards', async (_name, first, call) => {
    for (const role of everybody.slice(first)) letsIn(await call(await site.as(role)));
    for (const role of everybody.slice(0, first))
      expect(outcome(await call(await site.as(role)))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an item of somebody else', () => {
  it('is not for authors to change or delete, their own are', async () => {
    const author = await site.as('author');
    const mine = await upload(author);
    for (const id of [itemId, await upload(await site.another('author', 'second'))]) {
      expect(outcome(await author.put(`/media/${id}`, { alt: 'x' }))).toEqual([403, 'FORBIDDEN']);
      expect(outcome(await author.delete(`/media/${id}`))).toEqual([403, 'FORBIDDEN']);
    }
    expect((await author.put(`/media/${mine}`, { alt: 'x' })).status).toBe(200);
    expect((await author.delete(`/media/${mine}`)).status).toBe(200);
  });

  it('is for editors to change and delete', async () => {
    const editor = await site.as('editor');
    const id = await upload(await site.as('author'));
    expect((await editor.put(`/media/${id}`, { alt: 'x' })).status).toBe(200);
    expect((await editor.delete(`/media/${id}`)).status).toBe(200);
  });

  it('is not for contributors, not even their own', async () => {
    const contributor = await site.as('contributor');
    const id = await upload(contributor);
    expect(outcome(await contributor.put(`/media/${id}`, { alt: 'x' }))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await contributor.delete(`/media/${id}`))).toEqual([403, 'FORBIDDEN']);
  });

  it('without an owner is for editors alone', async () => {
    const author = await site.as('author');
    const id = await upload(author);
    await site.sql('UPDATE media_items SET author_id = NULL WHERE id = $1', [id]);
    expect(outcome(await author.put(`/media/${id}`, { alt: 'x' }))).toEqual([403, 'FORBIDDEN']);
    expect((await (await site.as('editor')).put(`/media/${id}`, { alt: 'x' })).status).toBe(200);
  });
});

describe('a Bearer token', () => {
  it.each(reads)('needs media:read for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['media:read'])));
    const client = await site.withScopes('admin', ['media:write', 'content:read']);
    expect(outcome(await call(client))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
  it.each(writes)('needs media:write for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['media:write'])));
    const client = await site.withScopes('admin', ['media:read', 'content:write']);
    expect(outcome(await call(client))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('without a credential', () => {
  it.each([...reads, ...writes])('%s answers 401 NOT_AUTHENTICATED', async (_name, call) => {
    expect(outcome(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('a session', () => {
  it.each(writes)('without X-CMS-Request is refused for %s', async (_name, call) => {
    const session = (await site.signedIn('admin')).session!;
    const client = site.withSession(session);
    const bare = (options = {}) => ({
      ...options,
      headers: { ...(options as { headers?: object }).headers, 'x-cms-request': undefined },
    });
    const without = {
      ...client,
      post: (path: string, body?: unknown, options?: object) => client.post(path, body, bare(options)),
      put: (path: string, body?: unknown, options?: object) => client.put(path, body, bare(options)),
      delete: (path: string, body?: unknown, options?: object) => client.delete(path, body, bare(options)),
    };
    expect(outcome(await call(without))).toEqual([403, 'CSRF_REJECTED']);
  });
});

describe('another tenant', () => {
  it('sees no item of this one and changes none', async () => {
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.get('/media')).data).toEqual({ items: [] });
    for (const answer of [
      await theirs.get(`/media/${itemId}`),
      await theirs.put(`/media/${itemId}`, { alt: 'Theirs' }),
      await theirs.delete(`/media/${itemId}`),
    ])
      expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    const theirItem = await upload(theirs);
    expect(outcome(await theirs.put(`/media/${theirItem}`, { folderId }))).toEqual([404, 'NOT_FOUND']);
    expect((await (await site.as('admin')).get(`/media/${itemId}`)).data.item.alt).toBeNull();
    await other.close();
  });
});
