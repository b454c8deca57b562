import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import type { Export, ExportComment, ExportMenuItem, ExportTerm } from './export.js';
import { plainText } from './rich-text.js';

/** An element: its text, its children, its attributes. */
type Node = string | undefined | null | Node[] | Element;
interface Element {
  [name: string]: Node;
}

/** A child element by name, and its repetitions. */
const listOf = (element: Element, name: string): Element[] => (element[name] ?? []) as Element[];
/** An attribute of an element. */
const attribute = (element: Element, name: string) => element[`@_${name}`] as string | undefined;

const lists = [
  'item',
  'category',
  'wp:author',
  'wp:category',
  'wp:tag',
  'wp:term',
  'wp:comment',
  'wp:postmeta',
];
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  cdataPropName: '__cdata',
  isArray: (name) => lists.includes(name),
});

/** Text of an element, bare or in CDATA parts. */
function text(node: Node): string {
  if (node === undefined || node === null) return '';
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(text).join('');
  return text(node.__cdata) + text(node['#text']);
}
const trimmed = (node: Node) => text(node).trim();
/** An id; 0 means none. */
const idOrNone = (node: Node): string | undefined => {
  const id = trimmed(node);
  return id === '0' || id === '' ? undefined : id;
};

/** A decoded slug. One that was cut within a character loses the incomplete character. */
function readableSlug(slug: string): string {
  for (let end = slug.length; end > 0; end -= 1) {
    try {
      return decodeURIComponent(slug.slice(0, end)).normalize('NFC');
    } catch {
      // try without the last character
    }
  }
  return '';
}

/** `YYYY-MM-DD HH:MM:SS` of UTC as an ISO instant, or undefined for none. */
function instant(date: string): string | undefined {
  const value = new Date(`${date.trim().replace(' ', 'T')}Z`);
  return date.startsWith('0000') || Number.isNaN(value.getTime()) ? undefined : value.toISOString();
}

const defaultNames: Readonly<Record<string, string>> = { post_tag: 'tag' };
/** Taxonomies without content: menus, formats, and those of the theme. */
const internalTaxonomies = new Set(['nav_menu', 'post_format', 'wp_theme', 'wp_template_part_area']);

/** A taxonomy's name in Quire. */
const taxonomyName = (domain: string) =>
  defaultNames[domain] ??
  domain
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '');

/** The elements of a term's properties. */
interface TermElements {
  slug: string;
  parent?: string;
  name: string;
  description: string;
}

/** A declared term of an export. */
function declaredTerm(
  node: Element,
  taxonomy: string,
  { slug, parent, name, description }: TermElements,
): ExportTerm {
  return {
    id: trimmed(node['wp:term_id']),
    taxonomy,
    slug: readableSlug(trimmed(node[slug])),
    label: plainText(text(node[name])),
    parent: parent === undefined ? undefined : readableSlug(trimmed(node[parent])) || undefined,
    description: plainText(text(node[description])),
  };
}

function declaredTerms(channel: Element): ExportTerm[] {
  const categories = listOf(channel, 'wp:category').map((node) =>
    declaredTerm(node, 'category', {
      slug: 'wp:category_nicename',
      parent: 'wp:category_parent',
      name: 'wp:cat_name',
      description: 'wp:category_description',
    }),
  );
  const tags = listOf(channel, 'wp:tag').map((node) =>
    declaredTerm(node, 'tag', {
      slug: 'wp:tag_slug',
      name: 'wp:tag_name',
      description: 'wp:tag_description',
    }),
  );
  const others = listOf(channel, 'wp:term').map((node) =>
    declaredTerm(node, trimmed(node['wp:term_taxonomy']), {
      slug: 'wp:term_slug',
      parent: 'wp:term_parent',
      name: 'wp:term_name',
      description: 'wp:term_description',
    }),
  );
  return [...categories, ...tags, ...others];
}

/** The terms of an item, each once. */
function termsOf(item: Element): ExportTerm[] {
  const terms = new Map<string, ExportTerm>();
  for (const node of listOf(item, 'category')) {
    const domain = attribute(node, 'domain');
    const slug = readableSlug(attribute(node, 'nicename') ?? '');
    if (!domain || !slug || internalTaxonomies.has(domain)) continue;
    const taxonomy = taxonomyName(domain);
    terms.set(`${taxonomy}/${slug}`, { taxonomy, slug, label: plainText(text(node)) || slug });
  }
  return [...terms.values()];
}

function commentsOf(item: Element): ExportComment[] {
  return listOf(item, 'wp:comment').map((node) => ({
    id: trimmed(node['wp:comment_id']),
    parent: idOrNone(node['wp:comment_parent']),
    type: trimmed(node['wp:comment_type']) || 'comment',
    isApproved: trimmed(node['wp:comment_approved']) === '1',
    isWaiting: trimmed(node['wp:comment_approved']) === '0',
    author: plainText(text(node['wp:comment_author'])),
    email: trimmed(node['wp:comment_author_email']),
    body: plainText(text(node['wp:comment_content'])),
  }));
}

function menuItem(item: Element, meta: (key: string) => string): ExportMenuItem {
  const menu = listOf(item, 'category').find((node) => attribute(node, 'domain') === 'nav_menu');
  return {
    menu: readableSlug((menu && attribute(menu, 'nicename')) ?? ''),
    id: trimmed(item['wp:post_id']),
    parent: meta('_menu_item_menu_item_parent'),
    order: Number(trimmed(item['wp:menu_order'])) || 0,
    title: plainText(text(item.title)),
    type: meta('_menu_item_type'),
    objectId: meta('_menu_item_object_id'),
    url: meta('_menu_item_url') || trimmed(item.link),
    isPublished: trimmed(item['wp:status']) === 'publish',
  };
}

function author(node: Element): { login: string; name: string } {
  const names = [trimmed(node['wp:author_first_name']), trimmed(node['wp:author_last_name'])];
  const login = trimmed(node['wp:author_login']);
  return {
    login,
    name: trimmed(node['wp:author_display_name']) || names.join(' ').trim() || login,
  };
}

/** The text of a file, or of the compressed file with the suffix `.gz`. */
const readText = (path: string) =>
  existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString('utf8');

/** Reads an export file. @param path without the suffix of compression */
export function readExport(path: string): Export {
  // Real files contain control characters, which XML forbids.
  const xml = readText(path).replace(/\p{Cc}/gu, (character) => (/\s/.test(character) ? character : ''));
  const { rss }: { rss: { channel: Element } } = parser.parse(xml);
  const { channel } = rss;
  const site = trimmed(channel.link);
  const nodes = listOf(channel, 'item').map((item) => ({
    item,
    type: trimmed(item['wp:post_type']) || 'post',
    meta: (key: string) =>
      trimmed(
        listOf(item, 'wp:postmeta').find((node) => trimmed(node['wp:meta_key']) === key)?.['wp:meta_value'],
      ),
  }));
  const items = nodes.map(({ item, type, meta }) => ({
    imageId: meta('_thumbnail_id') || undefined,
    imageKey: meta('_thumbnail_id') && `${site}#${meta('_thumbnail_id')}`,
    id: trimmed(item['wp:post_id']),
    sourceId: `${site}#${trimmed(item['wp:post_id'])}`,
    parent: idOrNone(item['wp:post_parent']),
    order: Number(trimmed(item['wp:menu_order'])) || 0,
    type,
    title: trimmed(item.title) || 'Untitled',
    slug: readableSlug(trimmed(item['wp:post_name'])),
    // Quire has no passwords on entries: a protected post must not become public.
    status: text(item['wp:post_password']) ? 'draft' : trimmed(item['wp:status']),
    date: instant(text(item['wp:post_date_gmt'])),
    body: text(item['content:encoded']),
    excerpt: text(item['excerpt:encoded']),
    author: trimmed(item['dc:creator']) || undefined,
    terms: termsOf(item),
    comments: commentsOf(item),
  }));
  const terms = declaredTerms(channel);
  const menus = new Map(
    terms.filter(({ taxonomy }) => taxonomy === 'nav_menu').map(({ slug, label }) => [slug, { slug, label }]),
  );
  return {
    site,
    items,
    terms: terms
      .filter(({ taxonomy, slug }) => slug && !internalTaxonomies.has(taxonomy))
      .map((term) => ({ ...term, taxonomy: taxonomyName(term.taxonomy), label: term.label || term.slug })),
    menus: [...menus.values()],
    menuItems: nodes
      .filter(({ type }) => type === 'nav_menu_item')
      .map(({ item, meta }) => menuItem(item, meta)),
    authors: listOf(channel, 'wp:author').map(author),
  };
}
