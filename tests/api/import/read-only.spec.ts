import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Call, type Client } from '@quire/testing';
import { exportOf, posts } from './export-builder.js';
import { createPosts, dataOf, entriesIn, execute, importsPath, sendForm } from './support.js';

const site = useSite();
const file = exportOf(posts(1, 1));
const config = { postTypeMappings: { post: { collection: 'posts' } } };
let admin: Client;
let importId: string;

beforeAll(async () => {
  admin = await site.as('admin');
  await createPosts(site);
  // One request of the activation prepares one collection, so it has not ended after the first.
  await site.collection({ slug: 'pages' });
  importId = dataOf(await execute(admin, file, config)).importId;
  const activation = await admin.post('/admin/media-usage/activation', { writersDrained: true });
  if (dataOf(activation).outcome !== 'activating') throw new Error('The site is not read-only');
});

const writes: Record<string, Call> = {
  execute: (client) => execute(client, exportOf(posts(2, 2)), config),
  resume: (client) => client.post(`${importsPath}/${importId}/resume`),
  undo: (client) => client.post(`${importsPath}/${importId}/undo`),
  'execute of a source': (client) =>
    sendForm(client, '/import/sources/legacy-com/execute', [{ name: 'config', value: '{}' }]),
  media: (client) => client.post('/import/legacy/media', { attachments: [{ id: 1, url: '' }] }),
  prepare: (client) => client.post('/import/legacy/prepare', { postTypes: [] }),
  'rewrite-urls': (client) => client.post('/import/legacy/rewrite-urls', { urlMap: {} }),
};

describe('while the site is read-only', () => {
  it.each(Object.entries(writes))('%s is rejected', async (_name, call) => {
    expect(statusAndCode(await call(admin))).toEqual([503, 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS']);
  });

  it('imports change nothing, and can be read', async () => {
    const { items } = dataOf(await admin.get(importsPath));
    expect(items).toMatchObject([{ id: importId, state: 'complete' }]);
    expect(await entriesIn(admin, 'posts')).toHaveLength(1);
  });

  it('callers without the permission are rejected for that', async () => {
    const response = await execute(await site.as('editor'), file, config);
    expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
  });
});
