import { describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  issuePaths,
  openSite,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';

const site = useSite();
const path = '/import/legacy/media';

const importMedia = (client: Client, attachments: unknown, stream?: boolean) =>
  client.post(path, { attachments, ...(stream !== undefined && { stream }) });

/** The objects of a streamed response. */
const linesOf = ({ text }: ApiResponse) => {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Addresses within the network of the installation. */
const inner = [
  'http://127.0.0.1:5432/a.jpg',
  'http://localhost/b.jpg',
  'https://10.0.0.1/c.jpg',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/d.jpg',
  'http://[::ffff:127.0.0.1]/e.jpg',
  'http://0.0.0.0/f.jpg',
];
const blocked = inner.map((url, index) => ({ id: index + 1, url }));

describePermissions(
  () => site,
  [
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { importLegacyMedia: (client) => importMedia(client, []) },
    },
  ],
);

describe('POST /import/legacy/media', () => {
  it('streams lines of JSON: the progress of each file, the result last', async () => {
    const response = await importMedia(await site.as('admin'), [{ id: 5, url: '', filename: 'a.jpg' }]);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const progress = { type: 'progress', current: 1, total: 1, filename: 'a.jpg' };
    expect(linesOf(response)).toEqual([
      { ...progress, percent: 0, status: 'downloading' },
      { ...progress, percent: 100, status: 'failed', error: 'No URL' },
      {
        type: 'result',
        imported: [],
        failed: [{ legacyId: 5, originalUrl: '', error: 'No URL' }],
        urlMap: {},
      },
    ]);
  });

  it('returns an empty result for an empty list', async () => {
    const response = await importMedia(await site.as('admin'), []);
    expect(linesOf(response)).toEqual([{ type: 'result', imported: [], failed: [], urlMap: {} }]);
  });

  it('responds once, in the envelope, without a stream', async () => {
    const response = await importMedia(await site.as('admin'), [{ url: 'ftp://example.org/a.jpg' }], false);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.body).toEqual({
      success: true,
      data: {
        imported: [],
        failed: [
          {
            originalUrl: 'ftp://example.org/a.jpg',
            error: 'Blocked: only http and https URLs are downloaded',
          },
        ],
        urlMap: {},
      },
    });
  });

  it('does not request inner addresses', async () => {
    const lines = linesOf(await importMedia(await site.as('admin'), blocked));
    const result = lines.at(-1) as { failed: { originalUrl: string; error: string }[] };
    expect(result.failed.map(({ originalUrl }) => originalUrl)).toEqual(inner);
    for (const { error } of result.failed)
      expect(error).toMatch(/^Blocked: \S+ (is not|does not lead to) a public address$/);
    const percents = lines.flatMap(({ percent }) => (typeof percent === 'number' ? [percent] : []));
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
    for (const current of inner.keys())
      expect(lines.flatMap((line) => (line['current'] === current + 1 ? [line['status']] : []))).toEqual([
        'downloading',
        'failed',
      ]);
  });

  it('makes no media items of failed files', async () => {
    await importMedia(await site.as('admin'), blocked, false);
    const { data } = await (await site.as('admin')).get('/media');
    expect(data.items).toEqual([]);
  });

  it('ignores the further properties of an attachment of the analysis', async () => {
    const attachment = {
      id: 1,
      title: 'A',
      url: '',
      filename: null,
      mimeType: 'image/png',
      width: 3,
      alt: 'x',
    };
    expect((await importMedia(await site.as('admin'), [attachment], false)).status).toBe(200);
  });

  it.each([
    ['no list', {}, 'attachments'],
    ['a list that is none', { attachments: 'x' }, 'attachments'],
    ['an attachment that is none', { attachments: ['x'] }, 'attachments.0'],
    ['an id that is none', { attachments: [{ id: 1.5, url: 'https://example.org' }] }, 'attachments.0.id'],
    ['a URL with U+0000', { attachments: [{ url: 'https://example.org/\u0000' }] }, 'attachments.0.url'],
    ['a stream that is no boolean', { attachments: [], stream: 'yes' }, 'stream'],
    ['more than 50,000 files', { attachments: Array(50_001).fill({ url: '' }) }, 'attachments'],
  ])('rejects %s', async (_, body, invalid) => {
    const response = await (await site.as('admin')).post(path, body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([invalid]);
  });

  it('rejects a body of more than 10 MB', async () => {
    const response = await importMedia(await site.as('admin'), [{ url: 'x'.repeat(11_000_000) }]);
    expect(statusAndCode(response)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('rejects a session without the CSRF header', async () => {
    const client = await site.signedIn('admin');
    const response = await client.post(
      path,
      { attachments: [] },
      { headers: { 'x-cms-request': undefined } },
    );
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
  });

  it('takes the same list again', async () => {
    const [first, second] = await Promise.all([
      importMedia(await site.as('admin'), blocked, false),
      importMedia(await site.as('admin'), blocked, false),
    ]);
    expect(second.data).toEqual(first.data);
    expect(first.data.failed).toHaveLength(inner.length);
  });

  it("does not see another tenant's rows", async () => {
    const other = await openSite();
    try {
      const list = [{ url: 'https://10.9.8.7/only.jpg' }];
      await importMedia(await other.as('admin'), list, false);
      const count = "SELECT count(*)::integer AS count FROM media_downloads WHERE url LIKE '%only.jpg'";
      expect(await other.sql(count)).toEqual([{ count: 1 }]);
      expect(await site.sql(count)).toEqual([{ count: 0 }]);
    } finally {
      await other.close();
    }
  });
});
