import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createImage } from '@quire/testing';
import { serviceNames } from '@quire/topology';
import { request } from 'undici';
import { openInstallation, type TestInstallation } from './installation.fixture.js';
import { addressesOf, sharedSecret, startLocalWorker, type LocalWorker } from './local-worker.fixture.js';
import type { RunningProcess } from './process.js';

let test: TestInstallation;
/** The services, and a gateway in a process of its own. */
let services: RunningProcess;
let gateway: RunningProcess;
let worker: LocalWorker;
let source: Server;
let answer: (path: string, response: ServerResponse) => void;
let token: string;

beforeAll(async () => {
  test = await openInstallation('media_import');
  services = await test.start(serviceNames, undefined, sharedSecret);
  gateway = await test.start(['gateway'], undefined, addressesOf(services));
  worker = await startLocalWorker(test, services);
  source = createServer((incoming, response) => answer(incoming.url ?? '/', response)).listen(0);
  await once(source, 'listening');
  token = await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
});

afterAll(async () => {
  source.closeAllConnections();
  source.close();
  await worker.stop();
  await gateway.stop();
  await services.stop();
  await test.close();
});

const urlOf = (path: string) => `http://127.0.0.1:${(source.address() as AddressInfo).port}${path}`;

const send = (method: 'GET' | 'POST', path: string, body?: object) =>
  request(`http://127.0.0.1:${gateway.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const importMedia = (paths: readonly string[], stream = true) =>
  send('POST', '/_cms/api/import/legacy/media', {
    attachments: paths.map((path, index) => ({ id: index + 1, url: urlOf(path), alt: `Alt of ${path}` })),
    stream,
  });

interface Result {
  imported: { mediaId: string; newUrl: string; originalUrl: string }[];
  failed: { originalUrl: string; error: string }[];
  urlMap: Record<string, string>;
}

describe('a media import through all services, each in a process', () => {
  it('stores the files in the media library, equal ones once, and no page', async () => {
    const picture = await createImage({ width: 20, height: 10, format: 'jpeg' });
    answer = (path, response) => {
      response.setHeader('content-type', 'image/jpeg');
      response.end(path === '/page.jpg' ? '<!doctype html><script>1</script>' : picture);
    };
    const response = await importMedia(['/a.jpg', '/copy.jpg', '/page.jpg'], false);
    expect(response.statusCode).toBe(200);
    const { data } = (await response.body.json()) as { data: Result };
    expect(data.failed).toEqual([
      { legacyId: 3, originalUrl: urlOf('/page.jpg'), error: 'The file has no known type' },
    ]);
    expect(data.imported).toHaveLength(2);
    const [first, second] = data.imported;
    expect(second?.mediaId).toBe(first?.mediaId);
    expect(Object.keys(data.urlMap)).toEqual([urlOf('/a.jpg'), urlOf('/copy.jpg')]);

    const file = await send('GET', first?.newUrl ?? '');
    expect(file.headers['content-type']).toBe('image/jpeg');
    expect(Buffer.from(await file.body.arrayBuffer()).equals(picture)).toBe(true);
    const item = await send('GET', `/_cms/api/media/${first?.mediaId}`);
    expect(((await item.body.json()) as { data: unknown }).data).toMatchObject({
      item: {
        mimeType: 'image/jpeg',
        width: 20,
        height: 10,
        alt: expect.stringMatching(/^Alt of /),
        blurhash: expect.any(String),
      },
    });
  });

  it('sends each line through the gateway when it happens', async () => {
    const picture = await createImage({ width: 21, height: 10 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    answer = (path, response) =>
      void (path === '/slow.png' ? released : Promise.resolve()).then(() => response.end(picture));
    const { body } = await importMedia(['/fast.png', '/slow.png']);
    let text = '';
    for await (const chunk of body) {
      text += String(chunk);
      // The other file is not finished before this line has arrived.
      if (/"current":1,.*"status":"done"/.test(text)) release();
    }
    const lines = text.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'result', failed: [] });
    expect(lines.filter((line) => line.includes('"status":"done"')).length).toBeGreaterThan(0);
  });

  it('goes on after the client has gone, and is joined by the same list', async () => {
    const picture = await createImage({ width: 22, height: 10 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    answer = (_path, response) => void released.then(() => response.end(picture));
    const first = await importMedia(['/later.png']);
    first.body.on('error', () => undefined).destroy();
    const again = await importMedia(['/later.png']);
    release();
    const lines = (await again.body.text()).trim().split('\n');
    const result = JSON.parse(lines.at(-1) ?? '') as Result;
    expect(result.imported).toHaveLength(1);
    const tenant = { id: 'default', database: null };
    const count = `SELECT count(*) AS count FROM media_downloads WHERE url LIKE '%/later.png'`;
    expect(await worker.databases.tenant(tenant).query(count)).toEqual([{ count: 1 }]);
  });
});
