import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, type ApiResponse, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let editor: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  editor = await site.as('editor');
  await site.collection({
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'sku', type: 'string', unique: true },
      { slug: 'extra', type: 'json' },
    ],
  });
});

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const create = (key: string, body: object = { data: { title: 'First' } }, client = admin) =>
  client.post('/content/posts', body, withKey(key));
const countOf = async () => (await admin.get('/content/posts?limit=1')).data.total as number;
const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';

describe('POST /content/{collection} with an Idempotency-Key', () => {
  it('creates one entry and returns the same response for a repeated request', async () => {
    const key = randomUUID();
    const before = await countOf();
    const first = await create(key);
    const again = await create(key);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
    expect(await countOf()).toBe(before + 1);
  });

  it('returns json values as submitted and the entry as first created', async () => {
    const key = randomUUID();
    const options = {
      headers: { 'idempotency-key': key, 'content-type': 'application/json' },
      rawBody: '{"data":{"title":"T","extra":{"2":12345678901234567890,"1":1.0}}}',
    };
    const first = await admin.post('/content/posts', undefined, options);
    expect(first.text).toContain('{"2":12345678901234567890,"1":1.0}');
    await admin.put(`/content/posts/${first.data.item.id}`, { data: { title: 'Changed' } });
    expect((await admin.post('/content/posts', undefined, options)).text).toBe(first.text);
  });

  it('returns 409 IDEMPOTENCY_CONFLICT for another body, path or operation, and changes nothing', async () => {
    const key = randomUUID();
    const { item } = (await create(key)).data;
    await site.collection({ slug: 'others' });
    const before = await countOf();
    for (const response of [
      await create(key, { data: { title: 'Other' } }),
      await admin.post('/content/others', { data: { title: 'First' } }, withKey(key)),
      await admin.post(`/content/posts/${item.id}/duplicate`, undefined, withKey(key)),
    ]) {
      expect(statusAndCode(response)).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
      expect(response.text).not.toContain(item.id);
    }
    expect(await countOf()).toBe(before);
  });

  it('creates one entry when 10 requests race, also with a unique slug or value', async () => {
    for (const body of [{ data: { title: 'Ten' } }, { data: { title: 'Slug', sku: 'A' }, slug: 'given' }]) {
      const key = randomUUID();
      const before = await countOf();
      const responses = await Promise.all(Array.from({ length: 10 }, () => create(key, body)));
      const outcomes = new Set(responses.map(({ status, text }) => `${status} ${text}`));
      expect([...outcomes]).toEqual([`201 ${responses[0]?.text}`]);
      expect(responses.filter(isReplayed)).toHaveLength(9);
      expect(await countOf()).toBe(before + 1);
    }
  });

  it('can reuse the key after a failed request', async () => {
    const key = randomUUID();
    expect(statusAndCode(await create(key, { data: { colour: 'red' } }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await create(key)).status).toBe(201);
  });

  it('treats the key as another one for another user, and as the same for other credentials of one user', async () => {
    const key = randomUUID();
    const mine = await create(key);
    const theirs = await create(key, undefined, editor);
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect(theirs.data.item.id).not.toBe(mine.data.item.id);
    const others = [await site.withScopes('admin', ['content:write']), await site.signedIn('admin')];
    for (const client of others) expect((await create(key, undefined, client)).text).toBe(mine.text);
  });

  it('treats the key as another one at another tenant', async () => {
    const key = randomUUID();
    const mine = await create(key);
    const other = await openSite();
    await other.collection();
    const theirs = await create(key, { data: { title: 'Other' } }, await other.as('admin'));
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect((await create(key)).text).toBe(mine.text);
    await other.close();
  });

  it('checks the permission before it returns a stored response', async () => {
    const key = randomUUID();
    await create(key);
    const reader = await site.withScopes('admin', ['content:read']);
    expect(statusAndCode(await create(key, undefined, reader))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it.each([[''], ['x'.repeat(256)], ['a b']])('returns 400 VALIDATION_ERROR for the key %j', async (key) => {
    expect(statusAndCode(await create(key))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('stores only a digest of the key, for 24 hours', async () => {
    const key = randomUUID();
    const first = await create(key);
    const row = `cms_content.idempotency_keys WHERE tenant_id = '${site.tenant}' AND answer LIKE '%${first.data.item.id}%'`;
    const [stored] = await site.sql(`SELECT * FROM ${row}`);
    expect(JSON.stringify(stored)).not.toContain(key);
    await site.sql(`UPDATE ${row.replace(' WHERE', " SET created_at = now() - interval '25 hours' WHERE")}`);
    const again = await create(key);
    expect([again.status, isReplayed(again)]).toEqual([201, false]);
    expect(again.data.item.id).not.toBe(first.data.item.id);
  });
});

describe('POST /content/{collection}/{id}/duplicate with an Idempotency-Key', () => {
  it('creates one copy for concurrent and repeated requests', async () => {
    const { item } = (await admin.post('/content/posts', { data: { title: 'Source' } })).data;
    const key = randomUUID();
    const before = await countOf();
    const duplicate = () => admin.post(`/content/posts/${item.id}/duplicate`, undefined, withKey(key));
    const responses = await Promise.all([duplicate(), duplicate(), duplicate()]);
    responses.push(await duplicate());
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, await countOf()]).toEqual([201, before + 1]);
  });
});

describe('operations without idempotency', () => {
  it('ignore the Idempotency-Key header', async () => {
    const key = randomUUID();
    const { item } = (await create(key)).data;
    const path = `/content/posts/${item.id}`;
    for (const title of ['One', 'Two'])
      expect((await admin.put(path, { data: { title } }, withKey(key))).data.item.data.title).toBe(title);
  });
});

describe('GET /openapi.json', () => {
  it('documents header and conflict only for operations with idempotency', async () => {
    const { paths } = (await admin.get('/openapi.json')).body as {
      paths: Record<
        string,
        Record<
          string,
          { operationId: string; parameters?: { name: string; in: string }[]; responses: object }
        >
      >;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const keyed = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name, in: place }) => name === 'Idempotency-Key' && place === 'header'),
    );
    expect(keyed.map(({ operationId }) => operationId).sort()).toEqual([
      'createComment',
      'createContent',
      'createTransferExport',
      'createTransferImport',
      'duplicateContent',
      'uploadMedia',
    ]);
    for (const { responses } of keyed) expect(JSON.stringify(responses)).toContain('IDEMPOTENCY_CONFLICT');
  });
});
