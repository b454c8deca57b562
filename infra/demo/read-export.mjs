import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { plainText } from './rich-text.mjs';

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
function text(node) {
  if (node === undefined || node === null) return '';
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(text).join('');
  return text(node.__cdata) + text(node['#text']);
}
const trimmed = (node) => text(node).trim();
/** 0 stands for none. */
const idOrNone = (node) => {
  const id = trimmed(node);
  return id === '0' || id === '' ? undefined : id;
};

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

const defaultNames = { post_tag: 'tag' };
/** Not about content: menus, formats, and the theme's own. */
const internalTaxonomies = new Set(['nav_menu', 'post_format', 'wp_theme', 'wp_template_part_area']);

/** A taxonomy's name as Quire takes it. */
const taxonomyName = (domain) =>
  defaultNames[domain] ??
  domain
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '');

/** A term as an export declares it; `parent` is a slug. */
function declaredTerm(node, taxonomy, { slug, parent, name, description }) {
  return {
    id: trimmed(node['wp:term_id']),
    taxonomy,
    slug: readableSlug(trimmed(node[slug])),
    label: plainText(text(node[name])),
    parent: readableSlug(trimmed(node[parent])) || undefined,
    description: plainText(text(node[description])),
  };
}

function declaredTerms(channel) {
  const categories = (channel['wp:category'] ?? []).map((node) =>
    declaredTerm(node, 'category', {
      slug: 'wp:category_nicename',
      parent: 'wp:category_parent',
      name: 'wp:cat_name',
      description: 'wp:category_description',
    }),
  );
  const tags = (channel['wp:tag'] ?? []).map((node) =>
    declaredTerm(node, 'tag', {
      slug: 'wp:tag_slug',
      name: 'wp:tag_name',
      description: 'wp:tag_description',
    }),
  );
  const others = (channel['wp:term'] ?? []).map((node) =>
    declaredTerm(node, trimmed(node['wp:term_taxonomy']), {
      slug: 'wp:term_slug',
      parent: 'wp:term_parent',
      name: 'wp:term_name',
      description: 'wp:term_description',
    }),
  );
  return [...categories, ...tags, ...others];
}

/** The terms that an item has; one that is named twice counts once. */
function termsOf(item) {
  const terms = new Map();
  for (const node of item.category ?? []) {
    const domain = node['@_domain'];
    const slug = readableSlug(node['@_nicename'] ?? '');
    if (!domain || !slug || internalTaxonomies.has(domain)) continue;
    const taxonomy = taxonomyName(domain);
    terms.set(`${taxonomy}/${slug}`, { taxonomy, slug, label: plainText(text(node)) || slug });
  }
  return [...terms.values()];
}

function commentsOf(item) {
  return (item['wp:comment'] ?? []).map((node) => ({
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

/** What a menu's item says of itself, in the words of the source. */
function menuItem(item, meta) {
  const menu = (item.category ?? []).find((node) => node['@_domain'] === 'nav_menu');
  return {
    menu: readableSlug(menu?.['@_nicename'] ?? ''),
    id: trimmed(item['wp:post_id']),
    parent: meta('_menu_item_menu_item_parent'),
    order: Number(trimmed(item['wp:menu_order'])) || 0,
    title: plainText(text(item.title)),
    type: meta('_menu_item_type'),
    object: meta('_menu_item_object'),
    objectId: meta('_menu_item_object_id'),
    url: meta('_menu_item_url') || trimmed(item.link),
    target: meta('_menu_item_target'),
    isPublished: trimmed(item['wp:status']) === 'publish',
  };
}

function author(node) {
  const names = [trimmed(node['wp:author_first_name']), trimmed(node['wp:author_last_name'])];
  const login = trimmed(node['wp:author_login']);
  return {
    login,
    name: trimmed(node['wp:author_display_name']) || names.join(' ').trim() || login,
  };
}

/** Text of a file; a file that is stored compressed has the suffix `.gz`. */
const readText = (path) =>
  existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString('utf8');

/**
 * Reads an export file.
 * @param {string} path without the suffix of compression
 * @returns {{ site: string, items: object[], terms: object[], menus: { slug: string, label: string }[], menuItems:
 *   object[], authors: { login: string, name: string }[] }} `items` are its posts, pages and products, and whatever
 *   else it carries
 */
export function readExport(path) {
  // Real files contain control characters, which XML forbids.
  const xml = readText(path).replace(/\p{Cc}/gu, (character) => (/\s/.test(character) ? character : ''));
  const { channel } = parser.parse(xml).rss;
  const site = trimmed(channel.link);
  const nodes = (channel.item ?? []).map((item) => ({
    item,
    type: trimmed(item['wp:post_type']) || 'post',
    meta: (key) =>
      trimmed(
        (item['wp:postmeta'] ?? []).find((node) => trimmed(node['wp:meta_key']) === key)?.['wp:meta_value'],
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
    // What a password guarded must not become public: Quire has no passwords on entries.
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
    authors: (channel['wp:author'] ?? []).map(author),
  };
}
