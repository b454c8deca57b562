import { randomBytes } from 'node:crypto';
import { readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createImage,
  deletePendingObjects,
  download,
  eventually,
  multipartForm,
  pendingObjectDeletions,
  statusAndCode,
  uploadFile,
  type Client,
  type Site,
} from '@quire/testing';
import { request } from 'undici';
import { closeEnvironments, peakMemoryMiB, TestEnvironment, waitUntil } from './support.js';

let testEnvironment: TestEnvironment;
let site: Site;
let author: Client;

async function openEnvironment(settings: Record<string, string> = {}): Promise<void> {
  testEnvironment = await TestEnvironment.open({ arrangement: 'single', settings });
  site = await testEnvironment.openSite();
  author = await site.as('author');
}
afterEach(closeEnvironments);

const magic = '%PDF-1.7\n';
const pdfForm = () => {
  const { headers, rawBody } = multipartForm([
    { name: 'file', value: magic, filename: 'a.pdf', type: 'application/pdf' },
  ]);
  const end = rawBody.lastIndexOf('\r\n--');
  return { headers, head: rawBody.subarray(0, end), tail: rawBody.subarray(end) };
};
const mediaFolder = async () => join((await testEnvironment.installation()).dataDir, 'media');
const filesOf = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe('process killed during uploads', () => {
  it('leaves no files after a restart, the sweep and a day', async () => {
    await openEnvironment();
    const folder = await mediaFolder();
    const { headers, head } = pdfForm();
    const bodies = Array.from({ length: 3 }, () => {
      const body = new Readable({ read: () => undefined });
      body.push(Buffer.concat([head, randomBytes(2_000_000)]));
      return body;
    });
    const uploads = bodies.map((body) =>
      author.post('/media', undefined, { headers, rawBody: body }).catch((error: unknown) => error),
    );
    await waitUntil('the uploads are half way', async () => (await filesOf(folder)).length === 3);
    const { pid, targets, port } = await testEnvironment.server();
    process.kill(pid, 'SIGKILL');
    for (const body of bodies) body.destroy();
    await Promise.all(uploads);
    const past = new Date(Date.now() - 25 * 3_600_000);
    for (const { parentPath, name } of await filesOf(folder))
      await utimes(join(parentPath, name), past, past);
    await testEnvironment.control('/targets/start', { targets, port });
    expect(await pendingObjectDeletions(site)).toHaveLength(3);
    expect(await deletePendingObjects(site)).toEqual([]);
    expect(await filesOf(folder)).toEqual([]);
    expect((await author.get('/media')).data.items).toEqual([]);
  });
});

describe('broken media folder', () => {
  it('uploads and downloads return 503 and recover with the folder', async () => {
    await openEnvironment();
    const folder = await mediaFolder();
    const file = async () => ({ bytes: await createImage(), type: 'image/png' });
    const { item } = (await uploadFile(author, await file())).data;
    await rename(folder, `${folder}-away`);
    await writeFile(folder, 'no folder');
    expect(statusAndCode(await uploadFile(author, await file()))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await download(site.system, site.host, item.url)).status).toBe(503);
    const reported = await eventually(
      async () => {
        const response = await fetch(`${testEnvironment.system.opsOrigin}/readyz`);
        return [response.status, await response.text()] as const;
      },
      ([, text]) => text.includes('degraded'),
    );
    expect(reported).toEqual([200, expect.stringContaining('"object-store":"failed"')]);
    await rename(folder, `${folder}-wrong`);
    await rename(`${folder}-away`, folder);
    expect((await uploadFile(author, await file())).status).toBe(201);
    expect((await download(site.system, site.host, item.url)).status).toBe(200);
  });
});

describe('file of 2 GB', () => {
  const size = 2 * 1024 ** 3;
  const chunk = Buffer.alloc(1024 * 1024);

  it('is uploaded and downloaded with less than 200 MB of memory', async () => {
    await openEnvironment({ CMS_MAX_UPLOAD_BYTES: String(3 * 1024 ** 3) });
    await uploadFile(author, { bytes: await createImage(), type: 'image/png' });
    const { pid } = await testEnvironment.server();
    await peakMemoryMiB(pid);
    await wait(500);
    const idle = await peakMemoryMiB(pid);
    const { headers, head, tail } = pdfForm();
    const body = Readable.from(
      (function* () {
        yield head;
        for (let left = size - magic.length; left > 0; left -= chunk.length)
          yield chunk.subarray(0, Math.min(left, chunk.length));
        yield tail;
      })(),
    );
    const response = await author.post('/media', undefined, { headers, rawBody: body });
    expect([response.status, response.data.item.size]).toEqual([201, size]);
    expect((await peakMemoryMiB(pid)) - idle).toBeLessThan(200);
    const { body: bytes } = await request(site.system.origin + response.data.item.url, {
      headers: { host: site.host },
    });
    let received = 0;
    for await (const part of bytes as AsyncIterable<Buffer>) received += part.length;
    expect(received).toBe(size);
    expect((await peakMemoryMiB(pid)) - idle).toBeLessThan(200);
    const range = { range: `bytes=${size - 3}-` };
    const end = await download(site.system, site.host, response.data.item.url, { headers: range });
    expect([end.status, end.bytes.length]).toEqual([206, 3]);
  });
});
