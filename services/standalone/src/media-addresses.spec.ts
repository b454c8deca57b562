import 'reflect-metadata';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createImage } from '@quire/testing';
import { serviceNames } from '@quire/topology';
import { FormData, request } from 'undici';
import { openInstallation, type TestInstallation } from './installation.fixture.js';
import { sharedSecret, startLocalWorker, type LocalWorker } from './local-worker.fixture.js';
import type { RunningProcess } from './process.js';

let test: TestInstallation;
let services: RunningProcess;
let worker: LocalWorker;
let source: Server;
let token: string;

beforeEach(async () => {
  test = await openInstallation('media_addresses');
  services = await test.start(['gateway', ...serviceNames], undefined, sharedSecret);
  worker = await startLocalWorker(test, services);
  // Each file has bytes of its own, so that no two of them are one item.
  source = createServer(
    (incoming, response) => void fileAt(incoming.url ?? '').then((file) => response.end(file)),
  );
  await once(source.listen(0), 'listening');
  token = await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
});

afterEach(async () => {
  source.closeAllConnections();
  source.close();
  await worker.stop();
  await services.stop();
  await test.close();
});

/** A frame of MPEG audio, layer 3: 417 bytes with its header. */
const mpegFrame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);
const sizes = new Map<string, number>();
async function fileAt(path: string): Promise<Buffer | string> {
  if (path.endsWith('.mp3')) return Buffer.concat(Array<Buffer>(8).fill(mpegFrame));
  if (!sizes.has(path)) sizes.set(path, sizes.size + 2);
  return createImage({ width: sizes.get(path) ?? 1, height: 2 });
}

async function call(path: string, body?: object | FormData) {
  const isForm = body instanceof FormData;
  const response = await request(`http://127.0.0.1:${services.port}/_cms/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
  });
  // Tests read responses freely; their expectations are the type check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const answer = (await response.body.json()) as { success: boolean; data: any; error?: unknown };
  if (answer.error !== undefined) throw new Error(`${path}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

const upload = (operation: string, xml: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([xml], { type: 'application/xml' }), 'export.xml');
  return call(`import/legacy/${operation}`, form);
};

interface Analysis {
  postTypes: { name: string; suggestedCollection: string; requiredFields: object[] }[];
  attachments: { items: { id: number; url: string }[] };
}

/** An example export, whose files the local server has in place of some hosts. */
function exportOf(name: string, hosts: RegExp): string {
  const bytes = readFileSync(new URL(`../../../tests/fixtures/wxr/${name}.xml.gz`, import.meta.url));
  return gunzipSync(bytes)
    .toString()
    .replace(hosts, `http://127.0.0.1:${(source.address() as AddressInfo).port}`);
}

async function execute(xml: string, { postTypes }: Analysis) {
  const mapped = postTypes.map(({ name, suggestedCollection }) => [
    name,
    { collection: suggestedCollection },
  ]);
  const postTypeMappings = Object.fromEntries(mapped) as object;
  return upload('execute', xml, { config: JSON.stringify({ postTypeMappings }) });
}

/** Imports an export, downloads its media as a client does that sends only ids and addresses, and rewrites. */
async function importWithMedia(xml: string) {
  const analysis = (await upload('analyze', xml)) as Analysis;
  const postTypes = analysis.postTypes.map(({ name, suggestedCollection, requiredFields: fields }) => ({
    name,
    collection: suggestedCollection,
    fields,
  }));
  await call('import/legacy/prepare', { postTypes });
  const summary = await execute(xml, analysis);
  const attachments = analysis.attachments.items.map(({ id, url }) => ({ id, url }));
  const media = await call('import/legacy/media', { attachments, stream: false });
  const rewritten = await call('import/legacy/rewrite-urls', { urlMap: media.urlMap });
  expect(rewritten.errors).toEqual([]);
  return { analysis, summary, media };
}

/** The values of all entries by collection and id. */
async function allValues({ postTypes }: Analysis): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { suggestedCollection: collection } of postTypes)
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await call(`content/${collection}?limit=100${cursor && `&cursor=${cursor}`}`);
      for (const { id, data } of page.items) values[`${collection}/${id}`] = data;
      cursor = page.nextCursor;
    }
  return values;
}

const addressesIn = (values: unknown, pattern: RegExp) =>
  [...new Set(JSON.stringify(values).match(pattern))].sort();

describe('the media of an export, downloaded from a server', () => {
  it('leave no address of a downloaded file in the bodies of ja-classic', async () => {
    const xml = exportOf('ja-classic', /https?:\/\/wpthemetestdata\.files\.wordpress\.com/g);
    const { analysis, media } = await importWithMedia(xml);
    expect(media.failed).toEqual([]);
    expect(media.imported).toHaveLength(41);
    const values = await allValues(analysis);
    expect(addressesIn(values, /http:\/\/127\.0\.0\.1[^"'\\\s<>]*/g)).toEqual([]);
    expect(JSON.stringify(values)).toContain('/_cms/api/media/file/');
  });

  it('leave only files without an attachment in mixed-blocks, and stay when a changed export is imported', async () => {
    const hosts = /https:\/\/(?:raw\.githubusercontent\.com|1\.bp\.blogspot\.com|upload\.wikimedia\.org)/g;
    const xml = exportOf('mixed-blocks', hosts);
    const { analysis, media, summary } = await importWithMedia(xml);
    expect([media.imported.length, media.failed]).toEqual([6, []]);
    const own = /https:\/\/gatographql(?:-pro)?\.lndo\.site\/wp-content\/uploads\/[^"'\\\s<>]*/g;
    const uploads = 'https://gatographql.lndo.site/wp-content/uploads';
    const without = ['mp3', 'mp4', 'pdf'].map((type) => `${uploads}/placeholder.${type}`);
    const values = await allValues(analysis);
    expect(addressesIn(values, own)).toEqual(without);
    expect(addressesIn(values, /http:\/\/127\.0\.0\.1[^"'\\\s<>]*/g)).toEqual([]);

    expect(await execute(xml, analysis)).toMatchObject({ imported: 0, updated: 0, failed: 0 });
    expect(await allValues(analysis)).toEqual(values);
    const changed = xml.replaceAll('<wp:menu_order>0<', '<wp:menu_order>7<');
    const again = await execute(changed, analysis);
    expect(again).toMatchObject({ imported: 0, updated: summary.imported, failed: 0 });
    expect(await allValues(analysis)).toEqual(values);
  });
});
