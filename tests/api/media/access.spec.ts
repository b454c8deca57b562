import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describeDoors,
  makeImage,
  openSite,
  outcome,
  uploadFile,
  type Call,
  type Client,
  type Door,
  type Site,
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

const uploads: Record<string, Call> = {
  uploadMedia: (client) => client.post('/media'),
  getMediaUploadUrl: (client) => client.post('/media/upload-url', {}),
  uploadPendingMedia: (client) => client.put('/media/nothing/upload'),
  confirmMediaUpload: (client) => client.post('/media/nothing/confirm'),
};
const edits: Record<string, Call> = {
  updateMedia: (client) => client.put('/media/nothing', {}),
  replaceMediaImage: (client) => client.put('/media/nothing/replace'),
};
const deletions: Record<string, Call> = { deleteMedia: (client) => client.delete('/media/nothing') };
const folderWrites: Record<string, Call> = {
  createMediaFolder: (client) => client.post('/media/folders', { name: 'one' }),
  updateMediaFolder: (client) => client.put('/media/folders/nothing', { name: 'x' }),
  deleteMediaFolder: (client) => client.delete('/media/folders/nothing'),
};
const writes = Object.entries({ ...uploads, ...edits, ...deletions, ...folderWrites });

const doors: Door[] = [
  {
    permission: 'media:read',
    lowest: 'subscriber',
    scopes: ['media:read'],
    answers: 200,
    operations: {
      listMedia: (client) => client.get('/media'),
      getMedia: (client) => client.get(`/media/${itemId}`),
      listMediaFolders: (client) => client.get('/media/folders'),
      getMediaFolder: (client) => client.get(`/media/folders/${folderId}`),
      listMediaProviders: (client) => client.get('/media/providers'),
    },
  },
  { permission: 'media:upload', lowest: 'contributor', scopes: ['media:write'], operations: uploads },
  { permission: 'media:edit_own', lowest: 'author', scopes: ['media:write'], operations: edits },
  { permission: 'media:delete_own', lowest: 'author', scopes: ['media:write'], operations: deletions },
  { permission: 'media:edit_any', lowest: 'editor', scopes: ['media:write'], operations: folderWrites },
];
describeDoors(() => site, doors);

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
