/** A comment of an item. */
export interface SourceComment {
  id: number;
  author?: string;
  content?: string;
  approved?: string;
  parent?: number;
}

/** An item of an export; absent properties have the value of a plain published post. */
export interface SourceItem {
  id: number;
  type?: string;
  title?: string;
  slug?: string;
  status?: string;
  creator?: string;
  content?: string;
  excerpt?: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date?: string;
  parent?: number;
  meta?: Record<string, string>;
  /** `[domain, nicename, label]` */
  terms?: [string, string, string][];
  comments?: SourceComment[];
  /** Further elements, unchanged. */
  raw?: string;
}

const namespaces = {
  wp: 'http://wordpress.org/export/1.2/',
  excerpt: 'http://wordpress.org/export/1.2/excerpt/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
};
const bindings = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
const element = (name: string, value: string | number) => `<${name}><![CDATA[${value}]]></${name}>`;

/** The elements before the items. @param authors logins with display names */
export const headOf = (site = 'https://source.example', authors: Record<string, string> = {}): string =>
  [
    '<title>Source</title>',
    `<link>${site}</link>`,
    '<wp:wxr_version>1.2</wp:wxr_version>',
    `<wp:base_blog_url>${site}</wp:base_blog_url>`,
    ...Object.entries(authors).map(
      ([login, name]) =>
        `<wp:author>${element('wp:author_login', login)}${element('wp:author_display_name', name)}</wp:author>`,
    ),
  ].join('\n');

/** An export with these items; a text is an element of its own. */
export function exportOf(items: readonly (SourceItem | string)[], head = headOf()): string {
  const elements = items.map((item) => (typeof item === 'string' ? item : itemElement(item)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<rss version="2.0" ${bindings.join(' ')}>`,
    `<channel>${head}`,
    ...elements,
    '</channel></rss>',
  ].join('\n');
}

/** The element of an item, with its begin and its end on lines of their own. */
export function itemElement({ id, meta = {}, terms = [], comments = [], ...item }: SourceItem): string {
  const date = item.date ?? '2024-05-06 07:08:09';
  return [
    '<item>',
    element('title', item.title ?? `Item ${id}`),
    ...(item.creator === undefined ? [] : [element('dc:creator', item.creator)]),
    element('content:encoded', item.content ?? `Body of ${id}`),
    element('excerpt:encoded', item.excerpt ?? ''),
    element('wp:post_id', id),
    element('wp:post_date', date),
    element('wp:post_date_gmt', date),
    element('wp:post_name', item.slug ?? `item-${id}`),
    element('wp:status', item.status ?? 'publish'),
    element('wp:post_parent', item.parent ?? 0),
    element('wp:post_type', item.type ?? 'post'),
    ...terms.map(
      ([domain, nicename, label]) =>
        `<category domain="${domain}" nicename="${nicename}"><![CDATA[${label}]]></category>`,
    ),
    ...Object.entries(meta).map(
      ([key, value]) =>
        `<wp:postmeta>${element('wp:meta_key', key)}${element('wp:meta_value', value)}</wp:postmeta>`,
    ),
    ...comments.map(commentElement),
    item.raw ?? '',
    '</item>',
  ].join('\n');
}

const commentElement = ({ id, author, content, approved, parent }: SourceComment) =>
  [
    '<wp:comment>',
    element('wp:comment_id', id),
    element('wp:comment_author', author ?? 'Reader'),
    element('wp:comment_author_email', 'reader@example.org'),
    element('wp:comment_date_gmt', '2024-06-07 08:09:10'),
    element('wp:comment_content', content ?? `Comment ${id}`),
    element('wp:comment_approved', approved ?? '1'),
    element('wp:comment_type', 'comment'),
    element('wp:comment_parent', parent ?? 0),
    '</wp:comment>',
  ].join('');

/** Plain published posts with ids from `first` to `last`. */
export const posts = (first: number, last: number, more: Partial<SourceItem> = {}): SourceItem[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index, ...more }));
