import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  createEntry,
  createImage,
  eventuallyPasses,
  uploadFile,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { listEvents } from './support.js';

const site = useSite();
let admin: Client;
let adminId: string;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  adminId = (await admin.get('/auth/me')).data.id;
});

const events = (action: string) => listEvents(admin, `?action=${action}&limit=100`);

/** Waits for the one event of a request, by its request id. */
async function expectEvent(response: ApiResponse, action: string, event: object): Promise<void> {
  expect([response.status < 300, response.error.message]).toEqual([true, '']);
  const eventsOfRequest = async () =>
    (await events(action)).filter(({ requestId }) => requestId === response.headers.get('x-request-id'));
  await eventuallyPasses(eventsOfRequest, (found) => expect(found).toMatchObject([event]));
}

const collection = (id: string) => ({ target: { type: 'collection', id } });

describe('audit log of settings and schema', () => {
  it('records actor, time, client address and the names of changed settings, without their values', async () => {
    const before = Date.now();
    const headers = { 'x-real-ip': '203.0.113.7' };
    const change = { title: 'A private title', seo: { titleSeparator: '|' } };
    await expectEvent(await admin.put('/settings', change, { headers }), 'settings.updated', {
      actor: { kind: 'session', id: adminId, name: `admin@${site.tenant}.example` },
      target: null,
      clientAddress: '203.0.113.7',
      details: { settings: ['title', 'seo.titleSeparator'] },
    });
    const [event] = await events('settings.updated');
    expect(Date.parse(event?.createdAt ?? '')).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(await site.sql('SELECT * FROM audit_log'))).not.toContain('A private title');
  });

  it('records changed collections, including their comment settings', async () => {
    const path = '/schema/collections';
    await expectEvent(await admin.post(path, { slug: 'audited', label: 'Audited' }), 'collection.created', {
      ...collection('audited'),
      details: {},
    });
    await expectEvent(
      await admin.put(`${path}/audited`, { commentsEnabled: true, label: 'Renamed' }),
      'collection.updated',
      { ...collection('audited'), details: { fields: expect.arrayContaining(['commentsEnabled', 'label']) } },
    );
    await expectEvent(await admin.post(`${path}/reorder`, { slugs: ['audited'] }), 'collection.reordered', {
      target: null,
    });
    await expectEvent(await admin.delete(`${path}/audited`), 'collection.deleted', {
      ...collection('audited'),
      details: { force: false },
    });
  });

  it('records changed and converted fields', async () => {
    await site.collection({ slug: 'tagged', fields: [{ slug: 'title', type: 'string' }] });
    await site.collection({ slug: 'tags' });
    const path = '/schema/collections/tagged/fields';
    const target = { type: 'field', id: 'link' };
    await expectEvent(
      await admin.post(path, { slug: 'link', label: 'Link', type: 'reference' }),
      'field.created',
      { target, details: { collection: 'tagged', type: 'reference' } },
    );
    await expectEvent(await admin.put(`${path}/link`, { label: 'Links' }), 'field.updated', {
      target,
      details: { collection: 'tagged', fields: ['label'] },
    });
    const validation = { targetCollection: 'tags', multiple: true };
    await expectEvent(await admin.put(`${path}/link`, { validation }), 'field.converted', {
      target,
      details: { collection: 'tagged', fields: ['validation'] },
    });
    await expectEvent(
      await admin.post(`${path}/reorder`, { fieldSlugs: ['link'] }),
      'field.reordered',
      collection('tagged'),
    );
    await expectEvent(await admin.delete(`${path}/link`), 'field.deleted', {
      target,
      details: { collection: 'tagged' },
    });
  });

  it('records changed block types', async () => {
    const path = '/schema/block-types';
    const target = { type: 'block-type', id: 'hero' };
    const field = (slug: string) => ({ slug, label: slug, type: 'string' });
    const created = await admin.post(path, { slug: 'hero', label: 'Hero', fields: [field('one')] });
    await expectEvent(created, 'block-type.created', { target });
    const fingerprintOf = ({ data }: ApiResponse) =>
      data.item.versions.find(({ active }: { active: boolean }) => active).fingerprint as string;
    const updated = await admin.put(`${path}/hero`, {
      expectedFingerprint: fingerprintOf(created),
      fields: [field('two')],
      breaking: true,
    });
    await expectEvent(updated, 'block-type.updated', { target, details: { fields: ['fields'], version: 2 } });
    const expectedFingerprint = fingerprintOf(updated);
    await expectEvent(
      await admin.post(`${path}/hero/versions/1/activate`, { expectedFingerprint }),
      'block-type.version-activated',
      { target, details: { version: 1 } },
    );
  });

  it('records changed relations', async () => {
    for (const slug of ['parents', 'children']) await site.collection({ slug });
    const target = { type: 'relation', id: 'kin' };
    const ends = { parentCollection: 'parents', childCollection: 'children' };
    const created = await admin.post('/relations', {
      slug: 'kin',
      ...ends,
      parentLabel: 'Parents',
      childLabel: 'Children',
    });
    await expectEvent(created, 'relation.created', { target, details: ends });
    const [{ id }] = (await site.sql<{ id: string }>("SELECT id FROM relations WHERE slug = 'kin'")) as [
      { id: string },
    ];
    await expectEvent(await admin.patch(`/relations/${id}`, { childLabel: 'Kids' }), 'relation.updated', {
      target,
      details: { fields: ['childLabel'] },
    });
    await expectEvent(await admin.delete(`/relations/${id}`), 'relation.deleted', {
      target,
      details: { force: false },
    });
  });

  it('records collections registered from orphaned tables', async () => {
    await site.collection({ slug: 'lost' });
    await site.sql("DELETE FROM collections WHERE slug = 'lost'");
    await expectEvent(await admin.post('/schema/orphans/lost'), 'orphan.registered', collection('lost'));
  });
});

describe('audit log of permanent deletions', () => {
  it('records deleted entries and comments', async () => {
    const commentedEntry = await createCommentedEntry(site);
    const [one, two, three] = [
      await commentedEntry.comment(),
      await commentedEntry.comment(),
      await commentedEntry.comment(),
    ];
    await expectEvent(await admin.delete(`/admin/comments/${one}`), 'comment.deleted', {
      target: { type: 'comment', id: one },
      details: {},
    });
    const ids = [two, three, 'nothing'];
    const bulk = await admin.post('/admin/comments/bulk', { ids, action: 'delete' });
    expect(bulk.status).toBe(200);
    const deleted = async () => (await events('comment.deleted')).map(({ target }) => target?.id).sort();
    await eventuallyPasses(deleted, (found) => expect(found).toEqual([one, two, three].sort()));

    const entry = await createEntry(admin);
    await entry.remove();
    await expectEvent(await admin.delete(`${entry.path}/permanent`), 'entry.deleted', {
      target: { type: 'entry', id: entry.id },
      details: { collection: 'posts' },
    });
  });

  it('records deleted media items', async () => {
    const bytes = await createImage({ width: 2, height: 2 });
    const { id } = (await uploadFile(admin, { bytes, type: 'image/png' })).data.item;
    await expectEvent(await admin.delete(`/media/${id}`), 'media.deleted', { target: { type: 'media', id } });
  });
});

describe('audit log of links, redirects, media usage and search', () => {
  it('records created preview links without their token', async () => {
    const entry = await createEntry(admin);
    const response = await admin.post(`${entry.path}/preview-url`, { expiresIn: '1h' });
    const expiresAt = new Date(response.data.expiresAt * 1000).toISOString();
    await expectEvent(response, 'preview-link.created', {
      target: { type: 'entry', id: entry.id },
      details: { collection: 'posts', expiresAt },
    });
    const token = new URL(response.data.url, 'https://site.example').searchParams.get('_preview');
    expect(JSON.stringify(await site.sql('SELECT * FROM audit_log'))).not.toContain(token);
  });

  it('records changed redirects without their paths', async () => {
    const created = await admin.post('/redirects', { source: '/secret', destination: '/private' });
    const target = { type: 'redirect', id: created.data.id };
    await expectEvent(created, 'redirect.created', { target });
    await expectEvent(
      await admin.put(`/redirects/${created.data.id}`, { enabled: false }),
      'redirect.updated',
      {
        target,
        details: { fields: ['enabled'] },
      },
    );
    await expectEvent(await admin.delete(`/redirects/${created.data.id}`), 'redirect.deleted', { target });
    const log = JSON.stringify(await site.sql('SELECT * FROM audit_log'));
    for (const address of ['/secret', '/private']) expect(log).not.toContain(address);
  });

  it('records the activation and repair of media usage', async () => {
    const activation = '/admin/media-usage/activation';
    let response = await admin.post(activation, { writersDrained: true });
    await expectEvent(response, 'media-usage.activation-started', { target: null });
    while (response.data.outcome !== 'active')
      response = await admin.post(activation, { writersDrained: true });
    await expectEvent(response, 'media-usage.activated', { target: null });
    const repair = (body: object) => admin.post('/admin/media-usage/repair', body);
    await expectEvent(await repair({ scope: 'all' }), 'media-usage.repair-started', { target: null });
    await expectEvent(
      await repair({ scope: 'collection', collection: 'posts' }),
      'media-usage.repair-started',
      collection('posts'),
    );
  });

  it('records enabled, rebuilt and disabled search', async () => {
    await site.collection({ slug: 'found', fields: [{ slug: 'title', type: 'string', searchable: true }] });
    const found = { collection: 'found' };
    const enable = (enabled: boolean) => admin.post('/search/enable', { ...found, enabled });
    await expectEvent(await enable(true), 'search.enabled', collection('found'));
    await expectEvent(
      await admin.post('/search/rebuild', found),
      'search.rebuild-started',
      collection('found'),
    );
    await expectEvent(await enable(false), 'search.disabled', collection('found'));
  });
});

describe('audit log of all operations', () => {
  it('records nothing for rejected or rolled back operations', async () => {
    await admin.post('/schema/collections', { slug: 'posts', label: 'Taken' });
    await admin.delete('/schema/collections/nothing');
    await admin.put('/schema/collections/posts', { titleField: 'nothing' });
    await admin.put('/settings', { title: 7 });
    await admin.delete('/admin/comments/nothing');
    await admin.delete('/redirects/nothing');
    await admin.delete('/media/nothing');
    await (await site.signedIn('author')).put('/settings', { title: 'Mine' });
    const last = await admin.put('/settings', { tagline: 'The last of them' });
    await expectEvent(last, 'settings.updated', { details: { settings: ['tagline'] } });
    expect(await events('settings.updated')).toHaveLength(2);
    expect((await events('collection.created')).filter(({ target }) => target?.id === 'posts')).toHaveLength(
      1,
    );
    for (const action of ['collection.deleted', 'redirect.deleted', 'media.deleted'])
      expect(await events(action)).toHaveLength(1);
  });

  it('records a token as the actor of its requests', async () => {
    const token = await site.as('admin');
    await expectEvent(await token.put('/settings', { tagline: 'By a token' }), 'settings.updated', {
      actor: { kind: 'token', id: adminId },
    });
  });

  it('records the recipient of an invitation as a hash', async () => {
    for (const email of ['one@guests.example', 'ONE@guests.example', 'two@guests.example'])
      expect((await admin.post('/auth/invite', { email, role: 20 })).status).toBe(200);
    const [two, again, one] = (await events('user.invited')).map(({ details }) => details['addressHash']);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(again).toBe(one);
    expect(two).not.toBe(one);
    expect(JSON.stringify(await site.sql('SELECT * FROM audit_log'))).not.toContain('guests.example');
  });
});
