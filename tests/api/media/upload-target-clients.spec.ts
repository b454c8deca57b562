import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  deletePendingObjects,
  eventually,
  statusAndCode,
  useSite,
  type Client,
} from '@quire/testing';
import { fileAt } from './support.js';
import { Agent, fetch, FormData } from 'undici';

/** These clients use only what responses say, so that the tests hold for a store in a folder and on S3. */
const site = useSite({ forBrowsers: true });
let author: Client;
let agent: Agent;
beforeAll(async () => {
  author = await site.as('author');
  agent = new Agent({
    connect: { lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
  });
});
afterAll(() => agent.close());

interface Target {
  mediaId: string;
  uploadUrl: string;
  method: string;
  headers: Record<string, string>;
}

const announce = async (bytes: Buffer, client = author): Promise<Target> => {
  const body = { filename: 'photo.png', contentType: 'image/png', size: bytes.length };
  return (await client.post('/media/upload-url', body)).data;
};
const isAbsolute = ({ uploadUrl }: Target) => /^https?:/.test(uploadUrl);
const call = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
  fetch(new URL(path, `http://${site.host}`), { ...init, dispatcher: agent });

/** Sends bytes to an upload target (document 1): its headers always, the token only to the site. */
async function send(target: Target, bytes: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const own = isAbsolute(target) ? {} : { authorization: `Bearer ${author.token}` };
  const all = { ...target.headers, ...own, ...headers };
  const response = await call(target.uploadUrl, { method: target.method, headers: all, body: bytes });
  await response.arrayBuffer();
  return response.status;
}
const confirm = (id: string) => author.post(`/media/${id}/confirm`);
const bytesOf = async (url: string) => (await fileAt(site, url)).bytes;
const sweep = async () => expect(await deletePendingObjects(site)).toEqual([]);

describe('an upload target of POST /media/upload-url', () => {
  it('accepts the announced bytes, which are served after the confirmation', async () => {
    const bytes = await createImage({ width: 40, height: 20 });
    const target = await announce(bytes);
    expect(await send(target, bytes)).toBe(200);
    const { item } = (await confirm(target.mediaId)).data;
    expect(item).toMatchObject({ status: 'ready', width: 40, height: 20, size: bytes.length });
    expect((await bytesOf(item.url)).equals(bytes)).toBe(true);
  });

  it.each<[string, (bytes: Buffer) => Buffer, Record<string, string>]>([
    ['more bytes', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]), {}],
    ['fewer bytes', (bytes) => bytes.subarray(1), {}],
    ['another type', (bytes) => bytes, { 'Content-Type': 'text/html' }],
  ])('rejects %s than announced; the confirmation returns 400 FILE_NOT_FOUND', async (_, change, headers) => {
    const bytes = await createImage();
    const target = await announce(bytes);
    expect(await send(target, change(bytes), headers)).toBeGreaterThanOrEqual(400);
    expect(statusAndCode(await confirm(target.mediaId))).toEqual([400, 'FILE_NOT_FOUND']);
  });

  it('rejects uploads to another key', async () => {
    const bytes = await createImage();
    const [mine, other] = [await announce(bytes), await announce(bytes)];
    const keyOf = ({ uploadUrl, mediaId }: Target) =>
      isAbsolute({ ...mine, uploadUrl }) ? new URL(uploadUrl).pathname : mediaId;
    const moved = { ...mine, uploadUrl: mine.uploadUrl.replace(keyOf(mine), keyOf(other)) };
    const status = await send(moved, bytes, isAbsolute(mine) ? {} : { authorization: 'Bearer none' });
    expect([401, 403]).toContain(status);
    expect(statusAndCode(await confirm(other.mediaId))).toEqual([400, 'FILE_NOT_FOUND']);
  });

  it('does not change a ready item; later bytes are deleted by the deletion runner', async () => {
    const bytes = await createImage({ width: 3, height: 3 });
    const target = await announce(bytes);
    await send(target, bytes);
    const { item } = (await confirm(target.mediaId)).data;
    await send(target, Buffer.from(bytes).fill(0, 60));
    expect((await bytesOf(item.url)).equals(bytes)).toBe(true);
    expect((await confirm(target.mediaId)).data.item).toEqual(item);
    await sweep();
    expect((await bytesOf(item.url)).equals(bytes)).toBe(true);
  });

  it('leaves no item after confirmation rejected the type of its bytes', async () => {
    const bytes = Buffer.from('<!doctype html><script>alert(1)</script>');
    const target = await announce(bytes);
    expect(await send(target, bytes)).toBe(200);
    expect(statusAndCode(await confirm(target.mediaId))).toEqual([400, 'INVALID_TYPE']);
    await sweep();
    expect((await author.get(`/media/${target.mediaId}`)).status).toBe(404);
  });

  it.each(['', ' whose bytes came through the service'])(
    'leaves no object of a deleted item%s',
    async (more) => {
      const bytes = await createImage();
      const target = await announce(bytes);
      if (more) {
        const headers = { 'content-type': 'image/png' };
        await author.put(`/media/${target.mediaId}/upload`, undefined, { headers, rawBody: bytes });
      }
      const reserved = () =>
        site.sql('SELECT object_key FROM cms_media.object_deletions WHERE tenant_id = $1 AND item_id = $2', [
          site.tenant,
          target.mediaId,
        ]);
      expect((await author.delete(`/media/${target.mediaId}`)).status).toBe(200);
      await send(target, bytes);
      expect(await reserved()).toHaveLength(1);
      await sweep();
    },
  );

  it('keeps the pending item until expiry, also for uploads through the service', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    const headers = { 'content-type': 'image/png' };
    for (let round = 0; round < 2; round += 1)
      await author.put(`/media/${mediaId}/upload`, undefined, { headers, rawBody: bytes });
    const [reserved] = await site.sql<{ isLater: boolean }>(
      `SELECT due_at > now() + interval '90 minutes' AS "isLater" FROM cms_media.object_deletions WHERE item_id = $1`,
      [mediaId],
    );
    expect(reserved).toEqual({ isLater: true });
    expect((await confirm(mediaId)).data.item.status).toBe('ready');
  });

  it('keeps bytes that came through the service as long as the pending item', async () => {
    const bytes = await createImage();
    const { mediaId } = await announce(bytes);
    await author.put(`/media/${mediaId}/upload`, undefined, {
      headers: { 'content-type': 'image/png' },
      rawBody: bytes,
    });
    const pendingDeletions = 'cms_media.object_deletions';
    await site.sql(
      `UPDATE ${pendingDeletions} SET due_at = due_at - interval '110 minutes' WHERE item_id = $1
       OR object_key = (SELECT object_key FROM media_items WHERE id = $1)`,
      [mediaId],
    );
    await site.sql(`INSERT INTO ${pendingDeletions} (object_key, tenant_id, due_at) VALUES ($1, $2, now())`, [
      `${site.tenant}/due`,
      site.tenant,
    ]);
    const due = () =>
      site.sql(
        `SELECT 1 FROM ${pendingDeletions} WHERE tenant_id = $1 AND (due_at <= now() OR attempts > 0)`,
        [site.tenant],
      );
    expect(await eventually(due, (rows) => rows.length === 0)).toEqual([]);
    expect((await confirm(mediaId)).data.item.status).toBe('ready');
  });

  it('stores one complete file when 50 uploads and 50 confirmations race', async () => {
    const bytes = await createImage({ width: 30, height: 30 });
    const target = await announce(bytes);
    const sent = await Promise.all(Array.from({ length: 50 }, () => send(target, bytes)));
    expect(sent.filter((status) => status === 200).length).toBeGreaterThan(0);
    const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(target.mediaId)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await sweep();
    expect((await bytesOf(responses[0]!.data.item.url)).equals(bytes)).toBe(true);
  });
});

describe('POST /media of a browser', () => {
  it('accepts a form built with FormData', async () => {
    const bytes = await createImage({ width: 21, height: 12 });
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'image/png' }), 'Grüße.png');
    form.set('alt', 'Greetings');
    const headers = { authorization: `Bearer ${author.token}` };
    const response = await call('/_cms/api/media', { method: 'POST', headers, body: form });
    const { data } = (await response.json()) as { data: { item: Record<string, unknown> } };
    expect(response.status).toBe(201);
    expect(data.item).toMatchObject({ filename: 'Grüße.png', alt: 'Greetings', width: 21, height: 12 });
  });
});
