import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, type Client } from '@quire/testing';
import { exportOf, headOf, itemElement, posts } from './export-builder.js';
import { analyze, analyzePath, dataOf, execute, executePath, prepareFor, sendForm } from './support.js';

const site = useSite();
let admin: Client;
const whole = exportOf(posts(1, 3));
const config = { postTypeMappings: { post: { collection: 'posts' } } };

beforeAll(async () => {
  admin = await site.as('admin');
  await prepareFor(admin, whole);
});

/** What an import can have left. */
const leftovers = () =>
  site.sql(
    `SELECT (SELECT count(*) FROM content_posts) AS entries, (SELECT count(*) FROM imports) AS imports,
       (SELECT count(*) FROM import_items) AS items, (SELECT count(*) FROM import_records) AS records,
       (SELECT count(*) FROM bylines) AS bylines`,
  );

const cut = (end: string, offset = 0) => whole.slice(0, whole.indexOf(end) + offset);
const page = '<!DOCTYPE html>\n<html><head><title>Login</title></head><body></body></html>';
const dtd = '<!DOCTYPE rss [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
const invalid: [string, string | Uint8Array, RegExp, number | null][] = [
  ['an HTML page', page, /HTML page/, 1],
  ['a zip archive', Buffer.from('504b030414000000', 'hex'), /zip/, null],
  ['a gzip file', gzipSync(whole), /gzip/, null],
  ['JSON', '{"posts":[]}', /not XML/, 1],
  ['an empty file', '', /empty/, null],
  ['XML of another kind', '<?xml version="1.0"?>\n<feed></feed>', /<feed>, not <rss>/, 2],
  ['a feed without a version', whole.replace(/<wp:wxr_version>.*/, ''), /wxr_version is missing/, 7],
  ['a bad version', whole.replace('>1.2<', '>new<'), /wxr_version is not a version/, 5],
  ['a file with a DTD', whole.replace('<rss', `${dtd}<rss`), /DTD/, 2],
  ['an undeclared entity', whole.replace('<title>Source', '<title>&bogus;'), /&bogus;/, 3],
  ['a file that ends in the head', cut('<wp:base_blog_url>', 5), /truncated/, 6],
  ['a file that ends in an item', cut('Item 2'), /truncated.*<item>/, null],
  ['a file that ends in a tag', cut('<wp:post_id>', 4), /truncated/, null],
  ['a file that ends between items', cut('</item>', '</item>'.length), /truncated.*<\/rss>/, null],
  ['a file without its last tag', cut('</rss>'), /truncated.*<\/rss>/, null],
];

describe('an invalid export file', () => {
  it.each(invalid)('%s: analyze returns 400 with line and reason', async (_, file, reason, line) => {
    const response = await analyze(admin, file);
    expect(statusAndCode(response)).toEqual([400, 'IMPORT_INVALID_FILE']);
    expect(response.error.message).toMatch(reason);
    const { details } = response.error;
    expect(details?.['reason']).toMatch(reason);
    if (line !== null) expect(details?.['line']).toBe(line);
  });

  it.each(invalid)('%s: execute returns 400 and leaves nothing', async (_, file, reason) => {
    const before = await leftovers();
    const response = await execute(admin, file, config);
    expect(statusAndCode(response)).toEqual([400, 'IMPORT_INVALID_FILE']);
    expect(response.error.message).toMatch(reason);
    expect(await leftovers()).toEqual(before);
  });

  it('names the line at which a truncated file ends', async () => {
    const file = cut('Item 2');
    const lines = file.split('\n').length;
    const { error } = await analyze(admin, file);
    expect(error.details?.['line']).toBe(lines);
    expect(error.message).toContain(`line ${lines}`);
  });

  it('does not hinder the import of a valid one', async () => {
    expect(dataOf(await execute(admin, whole, config)).imported).toBe(3);
  });
});

describe('a form without a usable file', () => {
  const part = { name: 'config', value: JSON.stringify(config) };

  it.each([
    ['without any part', []],
    ['with the configuration only', [part]],
    ['with the file in another field', [part, { name: 'other', value: whole, filename: 'export.xml' }]],
  ])('%s: returns 400 NO_FILE', async (_, parts) => {
    for (const path of [analyzePath, executePath])
      expect([path, ...statusAndCode(await sendForm(admin, path, parts))]).toEqual([path, 400, 'NO_FILE']);
  });

  it('that is no form returns 415', async () => {
    for (const path of [analyzePath, executePath])
      expect([path, (await admin.post(path, { file: whole })).status]).toEqual([path, 415]);
  });
});

/** Sends the head of a request that announces a body of this length. @returns the response */
async function announce(path: string, length: number): Promise<string> {
  const { hostname, port } = new URL(site.system.origin);
  const socket = connect(Number(port), hostname);
  const headers = {
    Host: site.host,
    Authorization: `Bearer ${admin.token}`,
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': length,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /_cms/api${path} HTTP/1.1\r\n${lines.join('')}\r\n--b\r\n`);
  let text = '';
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('}}')) socket.destroy();
    });
  });
  return text;
}

describe('a file above the size limit', () => {
  it.each([analyzePath, executePath])('is refused by %s before it is sent', async (path) => {
    const before = await leftovers();
    const response = await announce(path, 3 * 1024 ** 3);
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain('"PAYLOAD_TOO_LARGE"');
    expect(await leftovers()).toEqual(before);
  });
});

describe('a file with a broken item', () => {
  const broken = '<item><title>Broken</title><wp:post_id>2</wp:post_id><wp:postmeta></item>';
  const items = [posts(11, 11)[0]!, broken, posts(13, 13)[0]!];
  const file = exportOf(items);
  const brokenLine = file.slice(0, file.indexOf(broken)).split('\n').length;

  it('is analysed with a warning that names the line', async () => {
    const { warnings, postTypes } = dataOf(await analyze(admin, file));
    expect(warnings).toEqual([{ code: 'ITEM_UNREADABLE', message: expect.any(String), line: brokenLine }]);
    expect(postTypes[0].count).toBe(2);
  });

  it('is imported but for the item, whose failure names the line', async () => {
    const summary = dataOf(await execute(admin, file, config));
    expect(summary).toMatchObject({ success: false, imported: 2, failed: 1, failedAsDrafts: 0 });
    expect(summary.errors).toHaveLength(1);
    expect(summary.errors[0]).toMatchObject({
      code: 'ITEM_UNREADABLE',
      error: expect.stringContaining(`Line ${brokenLine}:`),
      entryId: null,
      savedAsDraft: false,
    });
    expect((await admin.get('/content/posts/item-11')).status).toBe(200);
    expect((await admin.get('/content/posts/item-13')).status).toBe(200);
  });

  it('is imported but for an item without an end tag', async () => {
    const open = itemElement({ id: 22 }).replace('</item>', '');
    const summary = dataOf(
      await execute(admin, exportOf([...posts(21, 21), open, ...posts(23, 23)]), config),
    );
    expect(summary).toMatchObject({ imported: 2, failed: 1 });
    expect(summary.errors[0].code).toBe('ITEM_UNREADABLE');
  });
});

describe('an export of another encoding', () => {
  const file = exportOf([{ id: 1, title: 'Größe', slug: 'groesse' }], headOf('https://encodings.example'));

  it.each<[string, Uint8Array]>([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${file}`)],
    ['UTF-16', Buffer.from(`\ufeff${file.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['Latin-1', Buffer.from(file.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
  ])('%s is imported with its characters', async (_, bytes) => {
    const other = await openSite();
    try {
      const client = await other.as('admin');
      await prepareFor(client, bytes);
      expect(dataOf(await execute(client, bytes, config)).imported).toBe(1);
      expect((await client.get('/content/posts/groesse')).data.item.data.title).toBe('Größe');
    } finally {
      await other.close();
    }
  });

  it('control characters are removed with a warning', async () => {
    const bytes = exportOf([{ id: 31, title: 'Bell\u0007 ring', content: 'a\u0001b' }]);
    const summary = dataOf(await execute(admin, bytes, config));
    expect(summary.imported).toBe(1);
    expect(summary.warnings.map(({ code }: { code: string }) => code)).toContain('CONTROL_CHARS_REMOVED');
    const { data } = (await admin.get('/content/posts/item-31')).data.item;
    expect([data.title, data.content[0].children[0].text]).toEqual(['Bell ring', 'ab']);
  });
});
