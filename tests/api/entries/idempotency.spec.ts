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
const create = (key: string, body: object = { data: { title: 'Kept' } }, client = admin) =>
  client.post('/content/posts', body, withKey(key));
const countOf = async () => (await admin.get('/content/posts?limit=1')).data.total as number;
const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';

describe('createContent with an Idempotency-Key', () => {
  it('makes one entry of a request that is sent again, and answers the same', async () => {
    const key = randomUUID();
    const before = await countOf();
    const first = await create(key);
    const again = await create(key);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
    expect(await countOf()).toBe(before + 1);
  });

  it('answers json values as they were sent, and the entry as it was at first', async () => {
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

  it('is 409 IDEMPOTENCY_CONFLICT for another body, path or operation, and changes nothing', async () => {
    const key = randomUUID();
    const { item } = (await create(key)).data;
    await site.collection({ slug: 'others' });
    const before = await countOf();
    for (const response of [
      await create(key, { data: { title: 'Other' } }),
      await admin.post('/content/others', { data: { title: 'Kept' } }, withKey(key)),
      await admin.post(`/content/posts/${item.id}/duplicate`, undefined, withKey(key)),
    ]) {
      expect(statusAndCode(response)).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
      expect(response.text).not.toContain(item.id);
    }
    expect(await countOf()).toBe(before);
  });

  it('makes one entry of ten requests at once, also where its slug or a value is unique', async () => {
    for (const body of [{ data: { title: 'Ten' } }, { data: { title: 'Slug', sku: 'A' }, slug: 'given' }]) {
      const key = randomUUID();
      const before = await countOf();
      const responses = await Promise.all(Array.from({ length: 10 }, () => create(key, body)));
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect([responses[0]?.status, responses.filter(isReplayed).length]).toEqual([201, 9]);
      expect(await countOf()).toBe(before + 1);
    }
  });

  it('is not used up by a request that failed', async () => {
    const key = randomUUID();
    expect(statusAndCode(await create(key, { data: { colour: 'red' } }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await create(key)).status).toBe(201);
  });

  it('is another key of another user, and the same with another token or a session of one', async () => {
    const key = randomUUID();
    const mine = await create(key);
    const theirs = await create(key, undefined, editor);
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect(theirs.data.item.id).not.toBe(mine.data.item.id);
    const others = [await site.withScopes('admin', ['content:write']), await site.signedIn('admin')];
    for (const client of others) expect((await create(key, undefined, client)).text).toBe(mine.text);
  });

  it('is another key at another tenant', async () => {
    const key = randomUUID();
    const mine = await create(key);
    const other = await openSite();
    await other.collection();
    const theirs = await create(key, { data: { title: 'Other' } }, await other.as('admin'));
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect((await create(key)).text).toBe(mine.text);
    await other.close();
  });

  it('asks for the permission before it answers again', async () => {
    const key = randomUUID();
    await create(key);
    const reader = await site.withScopes('admin', ['content:read']);
    expect(statusAndCode(await create(key, undefined, reader))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it.each([[''], ['x'.repeat(256)], ['a b']])('is 400 VALIDATION_ERROR when it is %j', async (key) => {
    expect(statusAndCode(await create(key))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is kept as a digest alone, and forgotten after 24 hours', async () => {
    const key = randomUUID();
    const first = await create(key);
    const row = `cms_content.idempotency_keys WHERE tenant_id = '${site.tenant}' AND answer LIKE '%${first.data.item.id}%'`;
    const [kept] = await site.sql(`SELECT * FROM ${row}`);
    expect(JSON.stringify(kept)).not.toContain(key);
    await site.sql(`UPDATE ${row.replace(' WHERE', " SET created_at = now() - interval '25 hours' WHERE")}`);
    const again = await create(key);
    expect([again.status, isReplayed(again)]).toEqual([201, false]);
    expect(again.data.item.id).not.toBe(first.data.item.id);
  });
});

describe('duplicateContent with an Idempotency-Key', () => {
  it('makes one copy, however often and at once it is sent', async () => {
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

describe('operations that take no key', () => {
  it('pass over the header', async () => {
    const key = randomUUID();
    const { item } = (await create(key)).data;
    const path = `/content/posts/${item.id}`;
    for (const title of ['One', 'Two'])
      expect((await admin.put(path, { data: { title } }, withKey(key))).data.item.data.title).toBe(title);
  });
});

describe('the OpenAPI document', () => {
  it('names the header and the conflict for the operations that take a key, and for no other', async () => {
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
      'duplicateContent',
      'uploadMedia',
    ]);
    for (const { responses } of keyed) expect(JSON.stringify(responses)).toContain('IDEMPOTENCY_CONFLICT');
  });
});
