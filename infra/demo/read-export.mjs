import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  cdataPropName: '__cdata',
  isArray: (name) => name === 'item' || name === 'category' || name === 'wp:postmeta',
});

/** Text of an element, bare or in CDATA parts. */
function text(node) {
  if (node === undefined || node === null) return '';
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(text).join('');
  return text(node.__cdata) + text(node['#text']);
}

/** A slug as people read it; one that was cut in the middle of a character loses the broken rest. */
function readableSlug(slug) {
  for (let end = slug.length; end > 0; end -= 1) {
    try {
      return decodeURIComponent(slug.slice(0, end)).normalize('NFC');
    } catch {
      // Try without the last character.
    }
  }
  return '';
}

/** `YYYY-MM-DD HH:MM:SS` of UTC as an ISO instant, or undefined for none. */
function instant(date) {
  const value = new Date(`${date.trim().replace(' ', 'T')}Z`);
  return date.startsWith('0000') || Number.isNaN(value.getTime()) ? undefined : value.toISOString();
}

/**
 * The posts, pages and products of an export file.
 * @param {string} file
 * @returns {{ sourceId: string, type: string, title: string, slug: string, status: string, date?: string, body: string, excerpt: string }[]}
 */
export function readExport(file) {
  // Raw control characters stand in real files; XML forbids them.
  const xml = readFileSync(file, 'utf8').replace(/\p{Cc}/gu, (character) =>
    /\s/.test(character) ? character : '',
  );
  const { rss } = parser.parse(xml);
  const site = text(rss.channel.link).trim();
  return (rss.channel.item ?? []).map((item) => ({
    sourceId: `${site}#${text(item['wp:post_id']).trim()}`,
    type: text(item['wp:post_type']).trim() || 'post',
    title: text(item.title).trim() || 'Untitled',
    slug: readableSlug(text(item['wp:post_name']).trim()),
    // What a password guarded must not become public: Quire has no passwords on entries.
    status: text(item['wp:post_password']) ? 'draft' : text(item['wp:status']).trim(),
    date: instant(text(item['wp:post_date_gmt'])),
    body: text(item['content:encoded']),
    excerpt: text(item['excerpt:encoded']),
  }));
}
