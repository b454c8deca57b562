import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  download,
  eventually,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Client,
} from '@quire/testing';

const site = useSite();
let author: Client;
let image: { url: string; storageKey: string };
beforeAll(async () => {
  author = await site.as('author');
  image = await upload(await createImage({ width: 100, height: 50, format: 'jpeg' }));
});

const upload = async (bytes: Buffer, type = 'image/jpeg') =>
  (await uploadFile(author, { bytes, type, filename: 'a.jpg' })).data.item;
const get = (path: string, { token }: { token?: string | undefined } = {}) =>
  download(
    site.system,
    site.host,
    path,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
const statusOf = async (...request: Parameters<typeof get>) => (await get(...request)).status;

describe('GET /media/file/{key} for a variant (decision 63)', () => {
  it.each(['w=64', 'w=128&q=50', 'w=64&format=jpeg', 'w=64&format=webp'])(
    'returns the variant %s without credentials: a width, in WebP or the original format',
    async (query) => {
      expect(await statusOf(`${image.url}?${query}`)).toBe(200);
    },
  );

  it.each(['format=webp', 'q=90', 'format=png', 'w=64&format=png', 'w=64&format=avif'])(
    'returns 401 for %s without credentials, and creates no variant',
    async (query) => {
      const count = 'SELECT count(*) FROM media_variants';
      const [before] = await site.sql(count);
      const response = await site.anonymous().get(`${image.url}?${query}`);
      expect(statusAndCode(response)).toEqual([401, 'NOT_AUTHENTICATED']);
      expect((await site.sql(count))[0]).toEqual(before);
    },
  );

  it('returns other variants only with media:read, also when they exist', async () => {
    const path = `${image.url}?w=128&format=png`;
    const reader = await site.withScopes('subscriber', ['media:read']);
    expect(await statusOf(path, reader)).toBe(200);
    const session = await site.signedIn('subscriber');
    expect((await session.get(path)).status).toBe(200);
    expect(await statusOf(path)).toBe(401);
    const writer = await site.withScopes('author', ['content:read']);
    expect(statusAndCode(await writer.get(path))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  describe('with a signature', () => {
    let key: string;
    beforeAll(async () => {
      const response = await fetch(`${site.system.control}/image-key`, {
        method: 'POST',
        body: JSON.stringify({ tenant: site.tenant }),
      });
      ({ key } = (await response.json()) as { key: string });
    });
    const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

    it.each([
      ['format=avif&w=256', '256:avif:'],
      ['format=png', ':png:'],
      ['w=256&q=90&format=png', '256:png:90'],
    ])('returns %s without credentials', async (query, text) => {
      const signature = sign(`${image.storageKey}:${text}`);
      expect(await statusOf(`${image.url}?${query}&signature=${signature}`)).toBe(200);
    });

    it('returns 401 for a signature of another variant, another file or another key', async () => {
      const others = [
        sign(`${image.storageKey}:256:avif:`),
        sign('another.jpg:64:avif:'),
        createHmac('sha256', 'another key').update(`${image.storageKey}:64:avif:`).digest('base64url'),
      ];
      for (const signature of others)
        expect(await statusOf(`${image.url}?w=64&format=avif&signature=${signature}`)).toBe(401);
      const malformed = await site.anonymous().get(`${image.url}?w=64&format=avif&signature=no`);
      expect(statusAndCode(malformed)).toEqual([400, 'VALIDATION_ERROR']);
    });
  });

  it('remembers an undecodable file for a day', async () => {
    const broken = (await createImage({ width: 50, height: 50, format: 'jpeg' })).subarray(0, 200);
    const { url } = await upload(broken);
    const path = `${url}?w=64`;
    expect(await statusOf(path)).toBe(400);
    const failures = "media_variants WHERE object_key IS NULL AND retry_at > now() + interval '23 hours'";
    expect(await site.sql(`SELECT name FROM ${failures}`)).toEqual([{ name: '64-75.jpeg' }]);
    // Moves the failure to a valid image, whose variant would succeed if it were attempted.
    await site.sql(
      `UPDATE media_variants v SET source_key = i.object_key, name = '384-75.jpeg' FROM media_items i
       WHERE v.object_key IS NULL AND i.storage_key = $1`,
      [image.storageKey],
    );
    expect(await statusOf(`${image.url}?w=384`)).toBe(400);
    await site.sql('UPDATE media_variants SET retry_at = now() WHERE object_key IS NULL');
    expect(await statusOf(`${image.url}?w=384`)).toBe(200);
    expect(await statusOf(path)).toBe(400);
  });

  it('limits the bytes of a site and deletes the least recently used variants', async () => {
    const other = await openSite();
    const bytes = await createImage({ width: 100, height: 50 });
    const { url } = (await uploadFile(await other.as('author'), { bytes, type: 'image/png' })).data.item;
    const stored = async () =>
      (await other.sql<{ name: string }>('SELECT name FROM media_variants ORDER BY name')).map(
        ({ name }) => name,
      );
    await other.sql(`INSERT INTO media_variants (source_key, name, object_key, size, used_at) VALUES
      ('former', 'old', '${other.tenant}/old', 6::bigint << 30, now() - interval '2 days'),
      ('former', 'new', '${other.tenant}/new', 1, now() - interval '1 day')`);
    expect((await download(other.system, other.host, `${url}?w=64`)).status).toBe(200);
    expect(await eventually(stored, (names) => names.length === 2)).toEqual(['64.png', 'new']);
    await other.close();
  });

  it('recreates a variant that was deleted', async () => {
    const { url } = await upload(await createImage({ width: 80, height: 80, format: 'jpeg' }));
    const first = await get(`${url}?w=64`);
    await site.sql(
      `DELETE FROM media_variants WHERE source_key IN (SELECT object_key FROM media_items WHERE storage_key = $1)`,
      [url.split('/').at(-1)],
    );
    const second = await get(`${url}?w=64`);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers['etag']).not.toBe(first.headers['etag']);
  });

  it('returns 429 to a user who creates too many variants, but existing ones still work', async () => {
    const { token } = await site.another('subscriber', 'collector');
    const widths = [64, 128, 256, 384, 640, 828, 1080, 1280, 1600, 1920, 2560];
    const queries = widths.flatMap((width) =>
      ['webp', 'jpeg'].flatMap((format) =>
        [50, 75, 90].map((quality) => `w=${width}&format=${format}&q=${quality}`),
      ),
    );
    const paths: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { url } = await upload(await createImage({ width: 8, height: 8, format: 'jpeg' }));
      paths.push(...queries.map((query) => `${url}?${query}`));
    }
    const statuses: number[] = [];
    for (let index = 0; index < 240; index += 12)
      statuses.push(
        ...(await Promise.all(paths.slice(index, index + 12).map((path) => statusOf(path, { token })))),
      );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const rejected = await get(paths[240]!, { token });
    expect([rejected.status, Number(rejected.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect(await statusOf(paths[0]!, { token })).toBe(200);
    expect(await statusOf(paths[240]!, { token: author.token })).toBe(200);
  });
});
