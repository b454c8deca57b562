import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  createImage,
  eventually,
  issuePaths,
  multipartForm,
  statusAndCode,
  uploadFile,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { countRows } from '../media/support.js';
import { limit } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

let files = 0;
/** A document of so many bytes, unlike all others. */
function documentOf(bytes: number): string {
  files += 1;
  return `%PDF-1.4 ${files} `.padEnd(bytes, '.');
}
const upload = (bytes: string | Uint8Array, type = 'application/pdf') => uploadFile(admin, { bytes, type });
const usedBytes = async () =>
  Number(
    (await site.sql("SELECT coalesce(sum(size), 0) AS n FROM media_items WHERE status = 'ready'"))[0]?.['n'],
  );
const isOverQuota = ({ error }: ApiResponse) => error.code === 'STORAGE_QUOTA_EXCEEDED';

/** Limits the files to the bytes of the present ones and so many more, and waits until the gateway knows. */
async function leaveRoomFor(bytes: number): Promise<void> {
  await limit(site, 'media=1');
  // Files that are uploaded until then count too.
  expect(isOverQuota(await eventually(() => upload(documentOf(20)), isOverQuota))).toBe(true);
  await limit(site, `media=${(await usedBytes()) + bytes + 20}`);
  expect(
    (
      await eventually(
        () => upload(documentOf(20)),
        ({ status }) => status === 201,
      )
    ).status,
  ).toBe(201);
}

describe('the limit of the bytes of the media files of a site', () => {
  it('refuses an upload above it with the bytes, and stores nothing', async () => {
    await leaveRoomFor(100);
    const used = await usedBytes();
    const objects = () => countRows(site, 'media_items');
    const before = await objects();
    const refused = await upload(documentOf(101));
    expect(statusAndCode(refused)).toEqual([507, 'STORAGE_QUOTA_EXCEEDED']);
    expect(refused.error.details).toEqual({ usedBytes: used, limitBytes: used + 100 });
    expect(await objects()).toEqual(before);
    const exact = documentOf(100);
    expect((await upload(exact)).status).toBe(201);
    // Bytes that the site has need no room.
    expect((await upload(exact)).data).toMatchObject({ deduplicated: true });
  });

  it('refuses uploads by targets and by tools', async () => {
    await leaveRoomFor(100);
    const target = (size: number) =>
      admin.post('/media/upload-url', { filename: 'a.pdf', contentType: 'application/pdf', size });
    expect(statusAndCode(await target(101))).toEqual([507, 'STORAGE_QUOTA_EXCEEDED']);
    const { data } = await target(100);
    const tool = await callTool(admin, 'media_upload', {
      filename: 'a.pdf',
      contentType: 'application/pdf',
      base64: Buffer.from(documentOf(101)).toString('base64'),
    });
    expect(tool).toMatchObject({ isError: true, code: 'STORAGE_QUOTA_EXCEEDED' });
    // Another file takes the room of the declared one.
    expect((await upload(documentOf(60))).status).toBe(201);
    const bytes = documentOf(100);
    const rawUpload = { headers: { 'content-type': 'application/pdf' }, rawBody: bytes };
    const sent = data.uploadUrl.startsWith('http')
      ? await fetch(data.uploadUrl, { method: data.method, headers: data.headers, body: bytes })
      : await admin.put(data.uploadUrl, undefined, rawUpload);
    expect(sent.status).toBe(200);
    expect(statusAndCode(await admin.post(`/media/${data.mediaId}/confirm`))).toEqual([
      507,
      'STORAGE_QUOTA_EXCEEDED',
    ]);
    await limit(site, 'media=none');
    const confirmed = await eventually(
      () => admin.post(`/media/${data.mediaId}/confirm`),
      ({ status }) => status === 200,
    );
    expect(confirmed.data.item).toMatchObject({ status: 'ready', size: 100 });
  });

  it('is not exceeded by concurrent uploads', async () => {
    await leaveRoomFor(250);
    const used = await usedBytes();
    const responses = await Promise.all(Array.from({ length: 8 }, () => upload(documentOf(100))));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(responses.filter(isOverQuota)).toHaveLength(6);
    expect(await usedBytes()).toBe(used + 200);
  });

  it('counts the difference of a replaced image, and room that a deleted file leaves', async () => {
    const [small, large] = await Promise.all([createImage(), createImage({ width: 40, height: 40 })]);
    await limit(site, 'media=none');
    const added = await eventually(
      () => upload(small, 'image/png'),
      ({ status }) => status < 300,
    );
    const { id } = added.data.item;
    await leaveRoomFor(50);
    const replace = (value: Uint8Array, width: number, height: number) => {
      const form = multipartForm([
        { name: 'width', value: `${width}` },
        { name: 'height', value: `${height}` },
        { name: 'file', value, filename: 'a.png', type: 'image/png' },
      ]);
      return admin.put(`/media/${id}/replace`, undefined, form);
    };
    expect(statusAndCode(await replace(large, 40, 40))).toEqual([507, 'STORAGE_QUOTA_EXCEEDED']);
    expect((await replace(small, 8, 6)).status).toBe(200);
    await admin.delete(`/media/${id}`);
    expect((await upload(documentOf(50 + small.length))).status).toBe(201);
  });
});

describe('the limit of the bytes of one upload', () => {
  it('refuses a larger file in every way, and is not above that of the installation', async () => {
    await limit(site, 'media=none', 'uploads=1KiB');
    const refused = await eventually(
      () => upload(documentOf(1_025)),
      ({ status }) => status === 413,
    );
    expect(statusAndCode(refused)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(refused.error.message).toBe('A file may have at most 1024 bytes');
    expect((await upload(documentOf(1_024))).status).toBe(201);
    const declared = { filename: 'a.pdf', contentType: 'application/pdf', size: 1_025 };
    const target = await admin.post('/media/upload-url', declared);
    expect([...statusAndCode(target), issuePaths(target)]).toEqual([400, 'VALIDATION_ERROR', ['size']]);
    expect((await admin.get('/panel/bootstrap')).data.uploads.maxBytes).toBe(1_024);
    await expect(limit(site, 'uploads=100TiB')).rejects.toThrow(/limits\.uploadBytes: must be at most/);
  });
});
