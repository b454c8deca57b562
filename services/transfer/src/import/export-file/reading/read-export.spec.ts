import { describe, expect, it } from '@jest/globals';
import { exampleFile, exportWith, inChunks, itemsOf, readAll } from '../export-files.fixture.js';
import { ExportFileError, readExport, type ExportEvent } from '../index.js';

const item = (id: number, more = '') => `<item><wp:post_id>${id}</wp:post_id>${more}</item>`;
const ids = (events: readonly ExportEvent[]) => itemsOf(events).map(({ sourceId }) => sourceId);
const broken = (events: readonly ExportEvent[]) =>
  events.flatMap((event) => (event.type === 'broken-item' ? [event] : []));

async function errorOf(bytes: Uint8Array | string): Promise<ExportFileError> {
  const error: unknown = await readAll(bytes).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ExportFileError);
  return error as ExportFileError;
}

describe('readExport', () => {
  it('yields the channel before the first item, and authors and terms wherever they are', async () => {
    const events = await readAll(
      exportWith(
        [
          '<title>A &amp; B</title>',
          '<wp:author><wp:author_login>ada</wp:author_login></wp:author>',
          '<wp:wxr_version>1.2</wp:wxr_version>',
          item(1),
          '<wp:tag><wp:tag_slug>t</wp:tag_slug><wp:tag_name>T</wp:tag_name></wp:tag>',
          item(2),
          '<wp:author><wp:author_login>late</wp:author_login></wp:author>',
        ],
        '',
      ),
    );
    expect(events.map(({ type }) => type)).toEqual(['author', 'channel', 'item', 'term', 'item', 'author']);
    expect(events[1]).toMatchObject({ channel: { version: '1.2', title: 'A & B' } });
  });

  it('yields the channel of a file without items', async () => {
    expect(await readAll(exportWith([]))).toMatchObject([{ type: 'channel', channel: { version: '1.2' } }]);
  });

  it('does not end an item within CDATA, comments and processing instructions', async () => {
    const events = await readAll(
      exportWith([
        item(1, '<content:encoded><![CDATA[</item><item>]]></content:encoded><!-- </item> --><?x </item> ?>'),
        '<!-- <item> --><?x <item> ?>',
        item(2),
      ]),
    );
    expect(itemsOf(events).map(({ content }) => content)).toEqual(['</item><item>', '']);
  });

  it('reports items that are not well-formed, and goes on with the next one', async () => {
    const events = await readAll(
      exportWith([
        item(1),
        item(2, '<title>a</b></title>'),
        item(3, '<a'),
        item(4, 'x < y'),
        '<item><wp:post_id>5</wp:post_id>',
        item(6),
        item(7, '<![CDATA[open'),
        item(8, '<title><![CDATA[swallowed]]></title>'),
        item(9),
        '<item><wp:post_id>10</wp:post_id>',
      ]),
    );
    expect(ids(events)).toEqual([1, 6, 9]);
    expect(broken(events).map(({ line }) => line)).toEqual([5, 6, 7, 8, 10, 13]);
    expect(broken(events)[0]).toMatchObject({ reason: '</b> closes no open <b>, but follows <title>' });
  });

  it('reports an item over the limit without keeping it in memory', async () => {
    const long = 'x'.repeat(300_000);
    const file = exportWith([item(1), item(2, `<title><![CDATA[${long}]]></title>`), item(3)]);
    const events = await readAll(file, { maxItemBytes: 100_000 });
    expect(ids(events)).toEqual([1, 3]);
    const [event] = broken(events);
    expect(event).toMatchObject({ line: 5, reason: 'the item is longer than 100000 bytes' });
    expect(file.slice(event?.offset, (event?.offset ?? 0) + (event?.length ?? 0))).toContain(long);
  });

  it('reads an export of version 1.0 with other prefixes and https', async () => {
    const file = `<rss xmlns:x="https://wordpress.org/export/1.0/" xmlns:dc="https://purl.org/dc/elements/1.1/"
      xmlns:c="http://purl.org/rss/1.0/modules/content/"><channel><x:wxr_version>1.0</x:wxr_version>
      <item><x:post_id>7</x:post_id><dc:creator>ada</dc:creator><c:encoded>text</c:encoded>
      <category>News</category><category domain="category" nicename="news">News</category></item></channel></rss>`;
    const events = await readAll(file);
    expect(itemsOf(events)).toMatchObject([{ sourceId: 7, type: 'post', creator: 'ada', content: 'text' }]);
  });

  it('accepts blank lines before the declaration and after the end', async () => {
    expect(await readAll(`\n\n${exportWith([item(1)])}\n<!-- end -->\n`)).toHaveLength(2);
  });

  it.each([
    ['an empty file', '', undefined],
    ['text', 'hello', 1],
    ['JSON', '{"a":1}', 1],
    ['an HTML page', '<!DOCTYPE html><html></html>', 1],
    ['an HTML page without a doctype', '<html><body></body></html>', 1],
    ['another root element', '<?xml version="1.0"?>\n<feed></feed>', 2],
    ['a feed without a channel', '<rss>\n<item></item></rss>', 2],
    ['a zip archive', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0]), undefined],
    ['a gzip file', Buffer.from([0x1f, 0x8b, 8, 0]), undefined],
    ['UTF-16', Buffer.from(exportWith([]), 'utf16le'), undefined],
    ['a feed without a version', exportWith([item(1)], ''), 4],
    ['an odd version', exportWith([], '<wp:wxr_version>one</wp:wxr_version>'), 3],
    [
      'a version of a foreign namespace',
      exportWith([], '<v:wxr_version xmlns:v="urn:v">1.2</v:wxr_version>'),
      undefined,
    ],
    ['a DTD', exportWith([]).replace('?>', '?>\n<!DOCTYPE rss [<!ENTITY x "y">]>'), 2],
    ['a custom entity', exportWith([item(1, '<title>&custom;</title>')]), 4],
    ['a broken author', exportWith(['<wp:author><wp:author_login></wp:author>']), 4],
    ['an empty channel', '<rss>\n<channel/></rss>', 2],
    ['a faulty root tag', '<rss constructor="x">\n<channel></channel></rss>', 1],
    ['a second root', `${exportWith([])}\n<rss></rss>`, 5],
    ['a missing end of the root', exportWith([item(1)]).replace('</rss>', ''), 5],
    ['a missing end of the channel', exportWith([item(1)]).replace('</channel>', ''), 5],
    ['an end within an item', exportWith([item(1)]).split('</wp:post_id>')[0] ?? '', 4],
  ])('refuses %s', async (_, bytes, line) => {
    expect((await errorOf(bytes)).line).toBe(line);
  });

  it('names line and reason in the message', async () => {
    expect(await errorOf('<?xml version="1.0"?>\n<feed/>')).toMatchObject({
      reason: 'the root element is <feed>, not <rss>',
      message: 'line 2: the root element is <feed>, not <rss>',
    });
  });

  it.each(['edge-cases.xml', 'wxr11-small.xml'])('refuses %s cut at any of 50 positions', async (name) => {
    const whole = exampleFile(name);
    const end = whole.lastIndexOf('</rss>') + '</rss>'.length;
    for (let cut = 0; cut < 50; cut += 1) {
      await errorOf(whole.subarray(0, Math.floor((cut * (end - 1)) / 49)));
    }
  });

  it('stops reading the source when the caller stops', async () => {
    let isClosed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inChunks(exportWith([item(1), item(2)]));
      } finally {
        isClosed = true;
      }
    }
    for await (const event of readExport(source())) if (event.type === 'item') break;
    expect(isClosed).toBe(true);
  });
});
