import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  describePermissions,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Call,
  type Client,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let itemId: string;
let folderId: string;
beforeAll(async () => {
  const admin = await site.as('admin');
  itemId = await upload(admin);
  folderId = (await admin.post('/media/folders', { name: 'One' })).data.item.id;
});

const upload = async (client: Client): Promise<string> =>
  (await uploadFile(client, { bytes: await createImage(), type: 'image/png' })).data.item.id;

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

const permissionCases: PermissionCase[] = [
  {
    permission: 'media:read',
    minRole: 'subscriber',
    scopes: ['media:read'],
    expectedStatus: 200,
    operations: {
      listMedia: (client) => client.get('/media'),
      getMedia: (client) => client.get(`/media/${itemId}`),
      listMediaFolders: (client) => client.get('/media/folders'),
      getMediaFolder: (client) => client.get(`/media/folders/${folderId}`),
      listMediaProviders: (client) => client.get('/media/providers'),
    },
  },
  { permission: 'media:upload', minRole: 'contributor', scopes: ['media:write'], operations: uploads },
  { permission: 'media:edit_own', minRole: 'author', scopes: ['media:write'], operations: edits },
  { permission: 'media:delete_own', minRole: 'author', scopes: ['media:write'], operations: deletions },
  { permission: 'media:edit_any', minRole: 'editor', scopes: ['media:write'], operations: folderWrites },
];
describePermissions(() => site, permissionCases);

describe('PUT and DELETE /media/{id} of another user', () => {
  it('return 403 to authors, who may change their own items', async () => {
    const author = await site.as('author');
    const mine = await upload(author);
    for (const id of [itemId, await upload(await site.another('author', 'second'))]) {
      expect(statusAndCode(await author.put(`/media/${id}`, { alt: 'x' }))).toEqual([403, 'FORBIDDEN']);
      expect(statusAndCode(await author.delete(`/media/${id}`))).toEqual([403, 'FORBIDDEN']);
    }
    expect((await author.put(`/media/${mine}`, { alt: 'x' })).status).toBe(200);
    expect((await author.delete(`/media/${mine}`)).status).toBe(200);
  });

  it('return 200 to editors', async () => {
    const editor = await site.as('editor');
    const id = await upload(await site.as('author'));
    expect((await editor.put(`/media/${id}`, { alt: 'x' })).status).toBe(200);
    expect((await editor.delete(`/media/${id}`)).status).toBe(200);
  });

  it('return 403 to contributors, also for their own items', async () => {
    const contributor = await site.as('contributor');
    const id = await upload(contributor);
    expect(statusAndCode(await contributor.put(`/media/${id}`, { alt: 'x' }))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await contributor.delete(`/media/${id}`))).toEqual([403, 'FORBIDDEN']);
  });

  it('return 403 to authors for an item without an author', async () => {
    const author = await site.as('author');
    const id = await upload(author);
    await site.sql('UPDATE media_items SET author_id = NULL WHERE id = $1', [id]);
    expect(statusAndCode(await author.put(`/media/${id}`, { alt: 'x' }))).toEqual([403, 'FORBIDDEN']);
    expect((await (await site.as('editor')).put(`/media/${id}`, { alt: 'x' })).status).toBe(200);
  });
});

describe('requests with a session', () => {
  it.each(writes)('without X-CMS-Request return 403 CSRF_REJECTED for %s', async (_name, call) => {
    const session = (await site.signedIn('admin')).session!;
    const client = site.withSession(session);
    const withoutHeader = (options = {}) => ({
      ...options,
      headers: { ...(options as { headers?: object }).headers, 'x-cms-request': undefined },
    });
    const without = {
      ...client,
      post: (path: string, body?: unknown, options?: object) =>
        client.post(path, body, withoutHeader(options)),
      put: (path: string, body?: unknown, options?: object) => client.put(path, body, withoutHeader(options)),
      delete: (path: string, body?: unknown, options?: object) =>
        client.delete(path, body, withoutHeader(options)),
    };
    expect(statusAndCode(await call(without))).toEqual([403, 'CSRF_REJECTED']);
  });
});

describe('media items of another tenant', () => {
  it('are not listed, and return 404', async () => {
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.get('/media')).data).toEqual({ items: [] });
    for (const response of [
      await theirs.get(`/media/${itemId}`),
      await theirs.put(`/media/${itemId}`, { alt: 'Theirs' }),
      await theirs.delete(`/media/${itemId}`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    const theirItem = await upload(theirs);
    expect(statusAndCode(await theirs.put(`/media/${theirItem}`, { folderId }))).toEqual([404, 'NOT_FOUND']);
    expect((await (await site.as('admin')).get(`/media/${itemId}`)).data.item.alt).toBeNull();
    await other.close();
  });
});
