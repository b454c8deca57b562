import type { Api } from './api.js';
import { contentOf, type ImportedEntry, type Registry } from './entries.js';
import type { ExportFile, ExportMenuItem } from './export.js';
import { collections } from './schema.js';
import { termKey } from './taxonomies.js';

/** Types of menu items for one collection; entries of other collections have the type `collection`. */
const ownTypes = ['page', 'post'];
const isSafeLink = (url: string) => /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i.test(url);

/** An item of a menu, as the API takes it. */
interface MenuItem {
  type: string;
  label: string;
  customUrl?: string;
  referenceCollection?: string;
  referenceId?: string;
  parentIndex?: number;
}

interface MenuContext {
  registry: Registry;
  /** Ids of terms by `termKey`. */
  termIds: ReadonlyMap<string, string>;
}

function entryItem(entry: ImportedEntry, label?: string): MenuItem {
  const [type] = Object.entries(collections).find(([, slug]) => slug === entry.collection) ?? [];
  return {
    type: type !== undefined && ownTypes.includes(type) ? type : 'collection',
    label: label || entry.title,
    referenceCollection: entry.collection,
    referenceId: entry.id,
  };
}

/** The item for one of the source's menu; undefined when its target is missing. */
function toMenuItem(
  item: ExportMenuItem,
  { locale, site, terms }: ExportFile,
  { registry, termIds }: MenuContext,
): MenuItem | undefined {
  const link: MenuItem | undefined =
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

interface MenuNode {
  id: string;
  parent: string | undefined;
  order: number;
  item: MenuItem;
}

/** Items in the order of the menu, each below an earlier one or at the top. */
function nestItems(nodes: readonly MenuNode[]): MenuItem[] {
  const known = new Set(nodes.map(({ id }) => id));
  const items: MenuItem[] = [];
  const seen = new Set<string>();
  const childrenOf = (id: string) => ordered.filter(({ parent }) => parent === id);
  const place = (node: MenuNode, parentIndex?: number) => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    items.push({ ...node.item, ...(parentIndex === undefined ? {} : { parentIndex }) });
    const index = items.length - 1;
    for (const child of childrenOf(node.id)) place(child, index);
  };
  const ordered = [...nodes].sort((left, right) => left.order - right.order);
  for (const node of ordered) if (node.parent === undefined || !known.has(node.parent)) place(node);
  // the remaining items form a circle
  for (const node of ordered) place(node);
  return items;
}

const menuName = (slug: string) =>
  slug
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '') || 'menu';

interface Menu {
  name: string;
  label: string;
  items: MenuItem[];
  /** The number of items without a target. */
  leftOut: number;
}

/** The menus of an export, or a menu of its pages when it has none. */
function menusOf(source: ExportFile, context: MenuContext): Menu[] {
  if (source.menus.length > 0)
    return source.menus.map(({ slug, label }) => {
      const sent = source.menuItems.filter((item) => item.menu === slug);
      const nodes = sent.flatMap(({ id, parent, order, ...rest }) => {
        const item = rest.isPublished
          ? toMenuItem({ id, parent, order, ...rest }, source, context)
          : undefined;
        return item ? [{ id, parent, order, item }] : [];
      });
      return { name: menuName(slug), label, items: nestItems(nodes), leftOut: sent.length - nodes.length };
    });
  const nodes = contentOf(source).flatMap(({ type, sourceId, id, parent, order }): MenuNode[] => {
    const entry = type === 'page' ? context.registry.get(sourceId) : undefined;
    return entry?.status === 'published' ? [{ id, parent, order, item: entryItem(entry) }] : [];
  });
  if (nodes.length === 0) return [];
  const stem = source.file.replace(/\.xml$/, '');
  return [{ name: `pages-of-${stem}`, label: `Pages of ${stem}`, items: nestItems(nodes), leftOut: 0 }];
}

interface ExistingMenu {
  name: string;
  locale: string;
  itemCount: number;
}

/** Creates the missing menus of the exports. */
export async function importMenus(
  api: Api,
  exports: readonly ExportFile[],
  context: MenuContext,
): Promise<void> {
  const known = await api.call<ExistingMenu[]>('GET', '/menus');
  for (const source of exports) {
    for (const { name, label, items, leftOut } of menusOf(source, context)) {
      const { locale } = source;
      const existing = known.find((menu) => menu.name === name && menu.locale === locale);
      const line = `  ${name.padEnd(26)} ${locale}`;
      if (existing && (existing.itemCount > 0 || items.length === 0)) {
        console.log(`${line}  there already`);
        continue;
      }
      if (!existing) await api.call('POST', '/menus', { name, label, locale });
      await api.call('PUT', `/menus/${name}/items?locale=${locale}`, { items });
      const inner = items.filter(({ parentIndex }) => parentIndex !== undefined).length;
      const missing = leftOut > 0 ? `; ${leftOut} left out: drafts, or their page is not in the export` : '';
      console.log(`${line}  ${items.length} items, ${inner} of them below others${missing}`);
    }
  }
}
