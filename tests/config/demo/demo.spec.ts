import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, walkPages, type Client } from '@quire/testing';
import { apiTargets, workerTargets } from '@quire/topology';
import { ConfigTestEnvironment } from '../support/config-test-environment.js';

const script = fileURLToPath(new URL('../../../infra/demo.mjs', import.meta.url));

let testEnvironment: ConfigTestEnvironment;
let origin: string;
let token: string;
let admin: Client;

beforeAll(async () => {
  testEnvironment = await ConfigTestEnvironment.open();
  await testEnvironment.adminService.addHosts('default', ['127.0.0.1']);
  origin = await testEnvironment.start({ targets: [...apiTargets, ...workerTargets] });
  token = await testEnvironment.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
  admin = createClient({ origin }, { host: '127.0.0.1' }, { token });
}, 60_000);
afterAll(() => testEnvironment.close());

const demo = () => promisify(execFile)(process.execPath, [script, '--url', origin, '--token', token]);
const count = async (path: string) => (await walkPages(admin, path)).length;

/** How many there are of each thing that docs/demo.md lists. */
async function made(): Promise<Record<string, number>> {
  const { taxonomies } = (await admin.get('/taxonomies')).data;
  return {
    posts: await count('/content/posts?limit=100'),
    pages: await count('/content/pages?limit=100'),
    products: await count('/content/products?limit=100'),
    taxonomies: taxonomies.length,
    terms: (await admin.get('/taxonomies/category/terms')).data.terms.length,
    bylines: await count('/admin/bylines?limit=100'),
    media: await count('/media?limit=100'),
    menus: (await admin.get('/menus')).data.length,
    comments: await count('/admin/comments?status=approved&limit=100'),
  };
}

describe('the demo (docs/demo.md)', () => {
  it('fills a site with all that it lists, which is found, and makes nothing of it twice', async () => {
    const { stdout } = await demo();
    expect(stdout).toContain('published by the worker');
    const first = await made();
    expect(first).toEqual({
      posts: expect.any(Number),
      pages: expect.any(Number),
      products: expect.any(Number),
      // Two of a new site, and fifteen of the demo.
      taxonomies: 17,
      terms: expect.any(Number),
      bylines: expect.any(Number),
      media: 29,
      menus: expect.any(Number),
      comments: 5,
    });
    for (const [what, number] of Object.entries(first)) expect([what, number > 0]).toEqual([what, true]);
    const found = await admin.get(`/search?q=${encodeURIComponent('ギャラリー')}`);
    expect(found.data.items[0].title).toBe('投稿フォーマット: ギャラリー');
    await demo();
    expect(await made()).toEqual(first);
  }, 240_000);
});
