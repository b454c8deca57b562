import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { root } from '../../command.js';

/** The largest export of the fixtures. */
const source = join(root, 'tests/fixtures/wxr/ja-classic.xml.gz');

/**
 * Writes an export with this number of posts: those of a real one, again and again, each with an id and a slug of its
 * own. It is written as a stream.
 * @param size.bytes size to which the posts are lengthened, by repeating their text; 0 for posts as they are
 * @returns the size of the file in bytes
 */
export async function writeLargeExport(
  path: string,
  { posts, bytes }: { posts: number; bytes: number },
): Promise<number> {
  const xml = await text(createReadStream(source).pipe(createGunzip()));
  const items = xml.match(/<item>[^]*?<\/item>/g) ?? [];
  const found = items.filter((item) => /<wp:post_type>(?:<!\[CDATA\[)?(?:post|page)\b/.test(item));
  const lengthened = found.map((item) => lengthen(item, bytes / posts));
  const file = createWriteStream(path);
  const write = async (part: string) => {
    if (!file.write(part)) await once(file, 'drain');
  };
  await write(xml.slice(0, xml.indexOf('<item>')));
  for (let index = 0; index < posts; index += 1)
    await write(asPost(lengthened[index % lengthened.length] ?? '', index));
  file.end('</channel>\n</rss>\n');
  await once(file, 'close');
  return file.bytesWritten;
}

/** Repeats the text of a post until the item has about this number of bytes. */
function lengthen(item: string, bytes: number): string {
  return item.replace(
    /(<content:encoded><!\[CDATA\[)([^]*?)(\]\]>)/,
    (_, start: string, content: string, end: string) => {
      const own = content.length > 0 ? content : '<p>Text</p>';
      const repeated = Math.ceil((bytes - Buffer.byteLength(item)) / Buffer.byteLength(own));
      return `${start}${content}${own.repeat(Math.max(0, repeated))}${end}`;
    },
  );
}

function asPost(item: string, index: number): string {
  return item
    .replace(/<wp:post_id>\d+</, `<wp:post_id>${1_000_000 + index}<`)
    .replace(/<wp:post_type>.*?<\/wp:post_type>/, '<wp:post_type>post</wp:post_type>')
    .replace(/<wp:post_name>.*?<\/wp:post_name>/, `<wp:post_name>post-${index}</wp:post_name>`)
    .replace(/<wp:comment>[^]*?<\/wp:comment>/g, '');
}
