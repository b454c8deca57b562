import { beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalDigestOf } from '@quire/site-package';
import {
  archivedFilesOf,
  buildPackage,
  createImage,
  eventually,
  recordOf,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';
import {
  advanceToEnd,
  analyzeToPlan,
  downloadAs,
  exportsPath,
  filesOfArchive,
  importsPath,
  recordsIn,
  uploadPackage,
} from './support.js';

const writing = useSite();
const late = useSite();
const [first, second] = [useSite(), useSite()];
let clients: [Client, Client];

const packageOf = (label: string) =>
  buildPackage({
    records: {
      settings: [recordOf('settings', { key: 'title', value: `Site ${label}` })],
      menus: [recordOf('menus', { id: 'm', name: 'main', label, locale: 'en', translationGroup: 'g' })],
    },
  });
const create = (client: Client, label: string) =>
  client.post(importsPath, undefined, {
    rawBody: packageOf(label).manifestBytes,
    headers: { 'content-type': 'application/json' },
  });

/** Reads an import until it has ended. */
const followToEnd = (client: Client, id: string) =>
  eventually(
    async () => (await client.get(`${importsPath}/${id}`)).data,
    ({ operation }) => !['running', 'verifying'].includes(operation.state as string),
  );

beforeAll(async () => {
  clients = [await first.as('admin'), await second.as('admin')];
});

describe('imports of one site at the same time', () => {
  it('are one: the others are TRANSFER_INVALID_STATE and name it', async () => {
    const [client] = clients;
    const created = await Promise.all(['a', 'b', 'c', 'd'].map((label) => create(client, label)));
    const started = created.filter(({ status }) => status === 201);
    expect(started).toHaveLength(1);
    const operationId = started[0]?.data.operation.id as string;
    for (const response of created.filter(({ status }) => status !== 201)) {
      expect(statusAndCode(response)).toEqual([409, 'TRANSFER_INVALID_STATE']);
      expect(response.error.details).toMatchObject({ operationId });
    }
    expect((await client.get(importsPath)).data.items).toHaveLength(1);
    expect((await client.post(`${importsPath}/${operationId}/cancel`)).status).toBe(200);
  });
});

describe('an import of a site that was written to after its plan', () => {
  it('is TRANSFER_TARGET_NOT_EMPTY when it starts, and can start once the site is empty again', async () => {
    const admin = await late.as('admin');
    const { id, packageDigest } = await uploadPackage(admin, archivedFilesOf(packageOf('late')));
    const { planDigest } = await analyzeToPlan(admin, id);
    const execute = () => admin.post(`${importsPath}/${id}/execute`, { packageDigest, planDigest });
    expect((await admin.post('/menus', { name: 'own', label: 'Own' })).status).toBe(201);
    expect(statusAndCode(await execute())).toEqual([409, 'TRANSFER_TARGET_NOT_EMPTY']);
    expect((await admin.get(`${importsPath}/${id}`)).data.operation).toMatchObject({
      ...{ state: 'planned', planDigest, mutationStartedAt: null },
    });
    expect((await admin.delete('/menus/own')).status).toBe(200);
    expect((await execute()).data.operation.state).toBe('running');
    expect((await followToEnd(admin, id)).operation.state).toBe('complete');
  });
});

describe('imports of two sites at the same time', () => {
  it('do not see each other, and each ends with the receipt of its own package', async () => {
    const receipts = await Promise.all(
      clients.map(async (client, place) => {
        const { id, packageDigest } = await uploadPackage(client, archivedFilesOf(packageOf(`${place}`)));
        const { planDigest } = await analyzeToPlan(client, id);
        const body = { packageDigest, planDigest };
        // Of two starts at once one begins.
        const starts = await Promise.all([1, 2].map(() => client.post(`${importsPath}/${id}/execute`, body)));
        expect(starts.map(({ status }) => status).sort()).toEqual([200, 409]);
        // A worker takes all steps of the second import.
        const { operation } = await (place === 0 ? advanceToEnd(client, id) : followToEnd(client, id));
        const { receipt } = (await client.get(`${importsPath}/${id}/receipt`)).data;
        return { body, operation, receipt, user: (await client.get('/auth/me')).data.id as string };
      }),
    );
    for (const [place, { body, operation, receipt, user }] of receipts.entries()) {
      const { receiptDigest, ...others } = receipt;
      expect(operation).toMatchObject({ state: 'complete', createdBy: user, error: null });
      expect(others).toEqual({
        ...body,
        operationId: operation.id,
        targetSiteId: [first, second][place]?.tenant,
        originSiteId: 'site-1',
        formatVersion: '1',
        importerVersion: expect.any(String),
        completedAt: operation.completedAt,
        logicalDigest: packageOf(`${place}`).manifest.logicalDigest,
        counts: { settings: 1, menus: 1 },
        warnings: [],
        verification: 'verified',
      });
      expect(receiptDigest).toBe(canonicalDigestOf(others));
      expect((await clients[place]!.get('/settings')).data.title).toBe(`Site ${place}`);
    }
    expect(receipts[0]?.receipt.receiptDigest).not.toBe(receipts[1]?.receipt.receiptDigest);
  });
});

describe('writes during an export', () => {
  it('in every service leave a package without blockers, which has what was there before', async () => {
    const admin = await writing.as('admin');
    const posts = await writing.collection({
      supports: ['drafts', 'revisions', 'search'],
      fields: [
        { slug: 'title', type: 'string', searchable: true },
        { slug: 'photo', type: 'image' },
      ],
    });
    const add = async (slug: string) => {
      const bytes = await createImage();
      const { data } = await uploadFile(admin, { bytes, type: 'image/png', filename: `${slug}.png` });
      const photo = { id: data.item.id as string };
      const created = await admin.post(posts.path, { slug, data: { title: slug, photo } });
      expect(created.status).toBe(201);
      const { id } = created.data.item as { id: string };
      expect((await admin.put(`${posts.path}/${id}`, { data: { title: `${slug} again` } })).status).toBe(200);
      return id;
    };
    const before = [await add('first'), await add('second')];
    const { data } = await admin.post(exportsPath);
    const id = data.operation.id as string;
    for (let number = 0, isActive = true; isActive; number += 1) {
      const added = await add(`later-${number}`);
      await admin.delete(`${posts.path}/${added}`);
      await admin.post('/search/enable', { collection: 'posts', enabled: number % 2 === 0 });
      await admin.post('/admin/bylines', { slug: `author-${number}`, displayName: 'Author' });
      const { data: step } = await admin.post(`${exportsPath}/${id}/advance`);
      isActive = step.nextRequestInMs !== null;
    }
    const { operation } = (await admin.get(`${exportsPath}/${id}`)).data;
    expect([operation.state, operation.error]).toEqual(['complete', null]);
    const { bytes } = await downloadAs(writing, admin, `${exportsPath}/${id}/archive`);
    const files = filesOfArchive(bytes);
    expect(recordsIn(files, 'entries').map((entry) => entry['id'])).toEqual(expect.arrayContaining(before));
    const [, target] = clients;
    const imported = await uploadPackage(target, files);
    const { plan } = await analyzeToPlan(target, imported.id);
    const codes = (plan.blockers as { code: string }[]).map(({ code }) => code);
    expect(codes.filter((code) => code !== 'target_not_empty')).toEqual([]);
  });
});
