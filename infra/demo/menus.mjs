import { contentOf } from './entries.mjs';
import { collections } from './schema.mjs';
import { termKey } from './taxonomies.mjs';

/** The kinds of items that Quire has a word for; entries of other collections are of the kind `collection`. */
const ownTypes = ['page', 'post'];
const isSafeLink = (url) => /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i.test(url);

function entryItem(entry, label) {
  const [type] = Object.entries(collections).find(([, slug]) => slug === entry.collection);
  return {
    type: ownTypes.includes(type) ? type : 'collection',
    label: label || entry.title,
    referenceCollection: entry.collection,
    referenceId: entry.id,
  };
}

/** What an item of the source's menu becomes; undefined when there is nothing to show. */
function menuItem(item, { locale, site, terms }, { registry, termIds }) {
  const link =
    isSafeLink(item.url) && item.title
      ? { type: 'custom', customUrl: item.url, label: item.title }
      : undefined;
  if (item.type === 'post_type') {
    const entry = registry.get(`${site}#${item.objectId}`);
    return entry && entry.status !== 'trashed' ? entryItem(entry, item.title) : link;
  }
  if (item.type !== 'taxonomy') return link;
  const term = terms.find(({ id }) => id === item.objectId);
  const referenceId = term && termIds.get(termKey(locale, term.taxonomy, term.slug));
  if (!referenceId) return link;
  return {
    type: 'taxonomy',
    label: item.title || term.label,
    referenceCollection: term.taxonomy,
    referenceId,
  };
}

/**
 * Items in the order of the menu, each below an earlier one or at the top.
 * @param nodes have id, parent, order, made
 */
function nested(nodes) {
  const known = new Set(nodes.map(({ id }) => id));
  const items = [];
  const seen = new Set();
  const place = (node, parentIndex) => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    items.push({ ...node.made, ...(parentIndex === undefined ? {} : { parentIndex }) });
    const index = items.length - 1;
    for (const child of childrenOf(node.id)) place(child, index);
  };
  const ordered = [...nodes].sort((left, right) => left.order - right.order);
  const childrenOf = (id) => ordered.filter(({ parent }) => parent === id);
  for (const node of ordered) if (!known.has(node.parent)) place(node);
  // What is left stands in a circle.
  for (const node of ordered) place(node);
  return items;
}

const menuName = (slug) =>
  slug
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '') || 'menu';

/** The menus of an export; one made of its pages when it has none. */
function menusOf(source, made) {
  if (source.menus.length > 0)
    return source.menus.map(({ slug, label }) => {
      const sent = source.menuItems.filter((item) => item.menu === slug);
      const nodes = sent.flatMap((item) => {
        const shown = item.isPublished ? menuItem(item, source, made) : undefined;
        return shown ? [{ ...item, made: shown }] : [];
      });
      return { name: menuName(slug), label, items: nested(nodes), leftOut: sent.length - nodes.length };
    });
  const pages = contentOf(source).filter(
    ({ type, sourceId }) => type === 'page' && made.registry.get(sourceId)?.status === 'published',
  );
  if (pages.length === 0) return [];
  const nodes = pages.map((page) => ({ ...page, made: entryItem(made.registry.get(page.sourceId)) }));
  const stem = source.file.replace(/\.xml$/, '');
  return [{ name: `pages-of-${stem}`, label: `Pages of ${stem}`, items: nested(nodes), leftOut: 0 }];
}

/** Makes the menus of the exports, where an earlier run did not. */
export async function importMenus({ call }, exports, made) {
  const known = await call('GET', '/menus');
  for (const source of exports) {
    for (const { name, label, items, leftOut } of menusOf(source, made)) {
      const { locale } = source;
      const existing = known.find((menu) => menu.name === name && menu.locale === locale);
      const told = `  ${name.padEnd(26)} ${locale}`;
      if (existing && (existing.itemCount > 0 || items.length === 0)) {
        console.log(`${told}  there already`);
        continue;
      }
      if (!existing) await call('POST', '/menus', { name, label, locale });
      await call('PUT', `/menus/${name}/items?locale=${locale}`, { items });
      const inner = items.filter(({ parentIndex }) => parentIndex !== undefined).length;
      const missing = leftOut > 0 ? `; ${leftOut} left out: drafts, or their page is not in the export` : '';
      console.log(`${told}  ${items.length} items, ${inner} of them below others${missing}`);
    }
  }
}
