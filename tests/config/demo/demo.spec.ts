import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, walkPages, type Client } from '@quire/testing';
import { apiTargets, workerTargets } from '@quire/topology';
import { useConfigTestEnvironment } from '../support.js';

const script = fileURLToPath(new URL('../../../infra/run.mjs', import.meta.url));

const testEnvironment = useConfigTestEnvironment();
let origin: string;
let token: string;
let admin: Client;

beforeAll(async () => {
  await testEnvironment.adminService.addHosts('default', ['127.0.0.1']);
  origin = await testEnvironment.start({ targets: [...apiTargets, ...workerTargets] });
  token = await testEnvironment.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
  admin = createClient({ origin }, { host: '127.0.0.1' }, { token });
}, 60_000);

const demo = () => promisify(execFile)(process.execPath, [script, 'demo', '--url', origin, '--token', token]);
const count = async (path: string) => (await walkPages(admin, path)).length;

/** Number of items of each kind that docs/demo.md lists. */
async function countItems(): Promise<Record<string, number>> {
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

describe('npm run demo (docs/demo.md)', () => {
  it('creates searchable content of every kind, and nothing twice', async () => {
    const { stdout } = await demo();
    expect(stdout).toContain('published by the worker');
    const first = await countItems();
    expect(first).toEqual({
      posts: expect.any(Number),
      pages: expect.any(Number),
      products: expect.any(Number),
      // Two of a new site and fifteen of the demo.
      taxonomies: 17,
      terms: expect.any(Number),
      bylines: expect.any(Number),
      media: 29,
      menus: expect.any(Number),
      comments: 5,
    });
    for (const [kind, number] of Object.entries(first)) expect([kind, number > 0]).toEqual([kind, true]);
    const found = await admin.get(`/search?q=${encodeURIComponent('ギャラリー')}`);
    expect(found.data.items[0].title).toBe('投稿フォーマット: ギャラリー');
    await demo();
    expect(await countItems()).toEqual(first);
  }, 240_000);
});
