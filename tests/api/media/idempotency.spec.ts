import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  multipartForm,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type ApiResponse,
  type Client,
  type FormPart,
} from '@quire/testing';
import { countRows, objectDeletions } from './support.js';

const site = useSite();
let author: Client;

beforeAll(async () => {
  author = await site.as('author');
});

interface Form {
  bytes: Uint8Array;
  filename?: string;
  type?: string;
  fields?: Record<string, string>;
}

function upload(
  key: string,
  { bytes, filename = 'a.png', type = 'image/png', fields = {} }: Form,
  client = author,
): Promise<ApiResponse> {
  const form: FormPart[] = [
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
    { name: 'file', value: bytes, filename, type },
  ];
  const { headers, rawBody } = multipartForm(form);
  return client.post('/media', undefined, { rawBody, headers: { ...headers, 'idempotency-key': key } });
}
const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';
/** Numbers of items and of pending object deletions. */
const counts = () => countRows(site, 'media_items', objectDeletions(site));

describe('POST /media with an Idempotency-Key', () => {
  it('returns the same response for a repeated request and stores one object', async () => {
    const form = { bytes: await createImage(), fields: { alt: 'A', caption: 'C' } };
    const key = randomUUID();
    const [items = 0, pendingDeletions] = await counts();
    const first = await upload(key, form);
    const again = await upload(key, form);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
    expect(again.data).not.toHaveProperty('deduplicated');
    expect(await counts()).toEqual([items + 1, pendingDeletions]);
  });

  it('repeats a deduplicated response, also after the item was deleted', async () => {
    const bytes = await createImage();
    const { id } = (await uploadFile(author, { bytes, type: 'image/png' })).data.item;
    const key = randomUUID();
    const first = await upload(key, { bytes });
    expect([first.status, first.data]).toMatchObject([200, { deduplicated: true, item: { id } }]);
    expect((await author.delete(`/media/${id}`)).status).toBe(200);
    const again = await upload(key, { bytes });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it('returns 409 IDEMPOTENCY_CONFLICT for another file, field or name and stores nothing', async () => {
    const bytes = await createImage();
    const key = randomUUID();
    expect((await upload(key, { bytes })).status).toBe(201);
    const before = await counts();
    const others: Form[] = [
      { bytes: await createImage() },
      { bytes, fields: { alt: 'A' } },
      { bytes, filename: 'b.png' },
      { bytes, fields: { width: '5' } },
    ];
    for (const form of others)
      expect(statusAndCode(await upload(key, form))).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(await counts()).toEqual(before);
  });

  it('creates one item when 5 uploads race', async () => {
    const bytes = await createImage();
    const key = randomUUID();
    const [items = 0, pendingDeletions] = await counts();
    const responses = await Promise.all(Array.from({ length: 5 }, () => upload(key, { bytes })));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, responses.filter(isReplayed).length]).toEqual([201, 4]);
    expect(await counts()).toEqual([items + 1, pendingDeletions]);
  });

  it('can reuse the key after a failed upload', async () => {
    const key = randomUUID();
    const bytes = await createImage();
    expect(statusAndCode(await upload(key, { bytes, type: 'application/pdf' }))).toEqual([
      400,
      'INVALID_TYPE',
    ]);
    expect((await upload(key, { bytes })).status).toBe(201);
  });

  it('treats the key as another one for another user or tenant', async () => {
    const key = randomUUID();
    const mine = await upload(key, { bytes: await createImage() });
    const other = await openSite();
    for (const client of [await site.as('editor'), await other.as('author')]) {
      const theirs = await upload(key, { bytes: await createImage() }, client);
      expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
      expect(theirs.data.item.id).not.toBe(mine.data.item.id);
    }
    await other.close();
  });

  it('returns 400 VALIDATION_ERROR for an invalid key', async () => {
    expect(statusAndCode(await upload('a b', { bytes: await createImage() }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});
