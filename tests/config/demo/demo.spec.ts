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
  await testEnvironment.adminService.tenants.addHosts('default', ['127.0.0.1']);
  origin = await testEnvironment.start({ targets: [...apiTargets, ...workerTargets] });
  token = await testEnvironment.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
  admin = createClient({ origin }, { host: '127.0.0.1' }, { token });
});

const demo = () => promisify(execFile)(process.execPath, [script, 'demo', '--url', origin, '--token', token]);
const count = async (path: string) => (await walkPages(admin, path)).length;

/** Number of items of each kind that docs/demo.md lists. */
async function countItems(): Promise<Record<string, number>> {
  const { taxonomies } = (await admin.get('/taxonomies')).data as { taxonomies: { name: string }[] };
  return {
    collections: (await admin.get('/schema/collections')).data.items.length,
    posts: await count('/content/posts?limit=100'),
    pages: await count('/content/pages?limit=100'),
    products: await count('/content/products?limit=100'),
    taxonomies: new Set(taxonomies.map(({ name }) => name)).size,
    bylines: await count('/admin/bylines?limit=100'),
    sections: await count('/sections?limit=100'),
    media: await count('/media?limit=100'),
    menus: (await admin.get('/menus')).data.length,
    comments: await count('/admin/comments?status=approved&limit=100'),
  };
}

describe('npm run demo (docs/demo.md)', () => {
  it('creates searchable content of every kind, and nothing twice', async () => {
    const { stdout } = await demo();
    expect(stdout).toContain('published by the worker');
    expect(stdout).not.toContain('failed:');
    const first = await countItems();
    expect(first).toEqual({
      collections: 8,
      posts: 178,
      pages: 33,
      products: 18,
      taxonomies: 15,
      bylines: 21,
      sections: 3,
      media: 65,
      menus: 7,
      comments: 66,
    });
    // An image of an export became an item of the library.
    const { item: hoodie } = (await admin.get('/content/products/hoodie')).data;
    expect(hoodie.data).toMatchObject({
      sku: 'woo-hoodie',
      featured_image: { provider: 'local', filename: 'hoodie-2.jpg' },
    });
    const found = await admin.get(`/search?q=${encodeURIComponent('ギャラリー')}`);
    expect(found.data.items[0].title).toBe('投稿フォーマット: ギャラリー');
    await demo();
    expect(await countItems()).toEqual(first);
  });
});
