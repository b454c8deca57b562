import { request as openRequest } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  archivedFilesOf,
  buildPackage,
  recordOf,
  statusAndCode,
  useSite,
  type Client,
  type SitePackage,
} from '@quire/testing';
import { analyzeToPlan, importsPath, sha256, uploadPackage } from './support.js';

const site = useSite();
let admin: Client;
const mebibyte = 1024 * 1024;

const create = (bytes: Buffer | string) =>
  admin.post(importsPath, undefined, { rawBody: bytes, headers: { 'content-type': 'application/json' } });
async function start({ manifestBytes }: SitePackage): Promise<string> {
  const { data } = await create(manifestBytes);
  return data.operation.id as string;
}
const put = (id: string, path: string, rawBody: Buffer) =>
  admin.put(`${importsPath}/${id}/files/${path}`, undefined, { rawBody });

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(() =>
  site.sql(
    "UPDATE transfer_operations SET state = 'cancelled', mutation_started_at = NULL WHERE kind = 'import'",
  ),
);

describe('a hostile manifest', () => {
  const { manifest, manifestBytes } = buildPackage();
  const text = manifestBytes.toString();
  const withProperty = (property: string) => text.replace('{', `{${property},`);
  const fill = 'x'.repeat(7 * mebibyte);

  it.each<[string, string, string]>([
    ['deep objects', '{"a":'.repeat((8 * mebibyte) / 5), 'TRANSFER_MANIFEST_INVALID'],
    ['a long text', JSON.stringify({ ...manifest, packageId: fill }), 'TRANSFER_MANIFEST_INVALID'],
    ['a long name', JSON.stringify({ ...manifest, [fill]: 1 }), 'TRANSFER_MANIFEST_INVALID'],
    ['__proto__', withProperty('"__proto__":{"isAdmin":true}'), 'TRANSFER_MANIFEST_INVALID'],
    ['constructor', withProperty('"constructor":{"prototype":{}}'), 'TRANSFER_MANIFEST_INVALID'],
    [
      'a kind __proto__',
      JSON.stringify({ ...manifest, counts: JSON.parse('{"__proto__":1}') }),
      'TRANSFER_MANIFEST_INVALID',
    ],
    ['half of a character', text.replace('site-1', String.raw`\ud800`), 'TRANSFER_MANIFEST_INVALID'],
    [
      'a path above the package',
      text.replace(
        '"index": []',
        `"index": [{"path":"../../etc/passwd","bytes":1,"sha256":"${'0'.repeat(64)}"}]`,
      ),
      'TRANSFER_MANIFEST_INVALID',
    ],
  ])('with %s is refused', async (_, bytes, code) => {
    const response = await create(bytes);
    expect(statusAndCode(response)).toEqual([422, code]);
    expect(JSON.stringify(response.error).length).toBeLessThan(1000);
  });

  it('with a property twice has the last value, as its digest covers both', async () => {
    const response = await create(withProperty('"siteId":"other"'));
    expect([response.status, response.data.operation.originSiteId]).toEqual([201, 'site-1']);
    expect(response.data.operation.packageDigest).toBe(
      `sha256:${sha256(Buffer.from(withProperty('"siteId":"other"')))}`,
    );
  });
});

describe('hostile paths and sizes', () => {
  const image = Buffer.from('bytes of an image');
  const content = buildPackage({ media: [image], records: { menus: [recordOf('menus')] } });
  const index = 'index/000001.ndjson';
  const begin = async () => {
    const id = await start(content);
    expect((await put(id, index, content.files.get(index) ?? image)).status).toBe(200);
    return id;
  };
  /** Sends a path as it is: clients resolve dot segments. */
  const putRaw = (path: string, size = image.length) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const { port, hostname } = new URL(site.system.origin);
      const headers = { host: site.host, authorization: `Bearer ${admin.token}`, 'content-length': size };
      const sent = openRequest({ hostname, port, method: 'PUT', path, headers }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => {
          sent.destroy();
          resolve({ status: response.statusCode ?? 0, body });
        });
      });
      sent.on('error', reject);
      // An answer does not need the rest of a body that is too long.
      if (size === image.length) sent.end(image);
      else sent.write(image);
    });

  it('are refused: nothing of them is stored', async () => {
    const id = await begin();
    const hash = sha256(image);
    const files = `/_cms/api${importsPath}/${id}/files/`;
    const fullWidth = (text: string) =>
      encodeURIComponent(text.replace(/\d/g, (digit) => '０１'[Number(digit)] ?? ''));
    const paths = [
      '../../../etc/passwd',
      '%2e%2e/%2e%2e/etc/passwd',
      'media/..%2f..%2fetc',
      'media/../../../auth/me',
      'media/%c0%ae%c0%ae',
      '//etc/passwd',
      '%2fetc%2fpasswd',
      'C:%5cwindows',
      `media%5c${hash}`,
      `media%255c${hash}`,
      `media%252f${hash}`,
      `media%ef%bc%8f${hash}`,
      `media/${hash}%00`,
      `%00media/${hash}`,
      `media/${hash}%0a`,
      `media/${hash}%20`,
      `MEDIA/${hash}`,
      `media/${hash.toUpperCase()}`,
      `${encodeURIComponent('ｍedia')}/${hash}`,
      `records/menus/${fullWidth('000001')}.ndjson`,
    ];
    for (const path of paths) {
      const { status, body } = await putRaw(`${files}${path}`);
      expect([path, status >= 400 && status < 500, body]).toEqual([path, true, expect.any(String)]);
    }
    expect((await admin.get(`${importsPath}/${id}`)).data.files).toEqual({ declared: 3, verified: 1 });
  });

  it('of 8 GB are refused by their length before their bytes', async () => {
    const id = await begin();
    const size = 8 * 1024 ** 3;
    const { status, body } = await putRaw(`/_cms/api${importsPath}/${id}/files/media/${sha256(image)}`, size);
    expect([status, body]).toEqual([422, expect.stringContaining('TRANSFER_FILE_SIZE_MISMATCH')]);
  });

  it('of 8 GB are refused in an index where no file may have them', async () => {
    const eightGigabytes = { bytes: 8 * 1024 ** 3 };
    const large = buildPackage({
      records: { menus: [recordOf('menus')] },
      changeIndex: (lines) => lines.map((line) => ({ ...line, ...eightGigabytes })),
    });
    const id = await start(large);
    const response = await put(id, index, large.files.get(index) ?? image);
    expect(statusAndCode(response)).toEqual([413, 'TRANSFER_LIMIT_EXCEEDED']);
    const truncated = buildPackage({
      media: [image],
      changeIndex: (lines) => lines.map((line) => ({ ...line, ...eightGigabytes })),
    });
    await admin.post(`${importsPath}/${id}/cancel`);
    const other = await start(truncated);
    expect((await put(other, index, truncated.files.get(index) ?? image)).status).toBe(200);
    const short = await put(other, `media/${sha256(image)}`, image);
    expect(statusAndCode(short)).toEqual([422, 'TRANSFER_FILE_SIZE_MISMATCH']);
  });

  it('of 10,000 files are received file by file, and their import waits for all of them', async () => {
    const media = Array.from({ length: 10_000 }, (_, number) => Buffer.from(String(number)));
    const many = buildPackage({ media });
    const id = await start(many);
    const indexed = await put(id, index, many.files.get(index) ?? image);
    expect(indexed.data.remaining).toBe(10_000);
    for (let start = 0; start < 200; start += 20) {
      const some = media.slice(start, start + 20);
      const uploaded = await Promise.all(some.map((bytes) => put(id, `media/${sha256(bytes)}`, bytes)));
      expect(new Set(uploaded.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const rejected = await admin.post(`${importsPath}/${id}/analyze`);
    expect(statusAndCode(rejected)).toEqual([422, 'TRANSFER_FILE_MISSING']);
    expect(rejected.error.details).toMatchObject({ count: 9_800 });
    expect((await admin.get(`${importsPath}/${id}`)).data.files).toEqual({
      declared: 10_001,
      verified: 201,
    });
  });
});

describe('hostile records', () => {
  const ordered = ['a', 'b', 'c'];
  const field = (id: string, properties: object) =>
    recordOf('fields', { id, collectionId: 'c', slug: id, label: id, defaultValue: null, ...properties });
  const links = ['javascript:alert(1)', 'data:text/html,<script>', '//evil.example'];
  const records = {
    settings: [recordOf('settings', { key: 'title', value: { $ne: 1 } })],
    collections: [recordOf('collections', { id: 'c', slug: 'posts', label: 'Posts' })],
    fields: [field('f_link', { type: 'url' }), field('f_other', { type: 'hologram' })],
    media_items: [recordOf('media_items', { id: 'm', sha256: 'f'.repeat(64) })],
    taxonomies: [recordOf('taxonomies', { id: 't', name: 'category' })],
    term_groups: ordered.map((id, place) =>
      recordOf('term_groups', { id, taxonomyId: 't', parentId: ordered[(place + 1) % 3] ?? 'a' }),
    ),
    entries: links.map((link, place) =>
      recordOf('entries', {
        ...{ id: `e-${place}`, collection: 'posts', locale: 'en', translationGroup: `g-${place}` },
        values: { f_link: link },
      }),
    ),
    comments: [recordOf('comments', { contentId: 'gone' })],
    sections: [recordOf('sections', { id: 's' }), recordOf('sections', { id: 's', slug: 'other' })],
    menus: [...ordered]
      .reverse()
      .map((id) => recordOf('menus', { id, name: id, locale: '__proto__', translationGroup: id })),
  };
  const media = [Buffer.from('bytes of an image')];
  const manifest = { logicalDigest: `sha256:${'0'.repeat(64)}` };

  it.each([
    [
      'of any kind',
      buildPackage({ records, media, manifest, recordsPerFile: 2 }),
      [
        ...['value_constraint_violation settings 1', 'field_type_unknown fields 1'],
        ...['value_constraint_violation entries 3', 'value_constraint_violation menus 3'],
        ...['record_order_invalid menus 2', 'duplicate_id sections 1', 'reference_cycle term_groups 3'],
        ...['dangling_reference comments 1', 'media_blob_missing media_items 1', 'package_invalid  1'],
      ],
    ],
    [
      'that cannot be read',
      buildPackage({
        records: {
          widget_areas: [JSON.stringify(recordOf('widget_areas', { id: 'w' })).slice(0, -2)],
          redirects: ['{"__proto__":{"isAdmin":true}}'],
        },
      }),
      ['record_invalid widget_areas 1', 'record_invalid redirects 1'],
    ],
  ])(
    '%s are found by the analysis, whose plan cannot be executed and leaves the site as it is',
    async (_, hostile, expected) => {
      const { id, packageDigest } = await uploadPackage(admin, archivedFilesOf(hostile));
      const { plan, planDigest } = await analyzeToPlan(admin, id);
      const found = (plan.blockers as { code: string; kind?: string; count: number }[]).map(
        ({ code, kind = '', count }) => `${code} ${kind} ${count}`,
      );
      expect(found).toEqual(expect.arrayContaining(expected));
      const refused = await admin.post(`${importsPath}/${id}/execute`, { packageDigest, planDigest });
      expect(statusAndCode(refused)).toEqual([409, 'TRANSFER_PLAN_BLOCKED']);
      const { data } = await admin.get('/admin/transfer/capabilities');
      expect(data.portableDomain).toMatchObject({ empty: true, blockers: [] });
      // The site is not read-only.
      expect((await admin.put('/settings', { title: 'Own' })).status).toBe(200);
    },
  );
});
