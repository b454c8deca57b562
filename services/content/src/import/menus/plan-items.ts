import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { isAllowedUrl, truncateText, ulid } from '@quire/values';
import { isOwnDescendant, maxItems, type MenuItemType, type NewMenuItem } from '../../site/menus/index.js';
import type { FindTarget, ResolvedTarget } from './resolve-targets.js';

type Item = RequestOf<typeof contentImportApi.importMenu>['items'][number];
type Warning = ResponseOf<typeof contentImportApi.importMenu>['warnings'][number];

const maxLabelLength = 500;
const maxUrlLength = 2_048;

/** The items of a menu as they are stored, and what was left out. */
export interface PlannedItems {
  items: NewMenuItem[];
  warnings: Warning[];
}

/** What an item links to. */
type Link = Pick<NewMenuItem, 'type' | 'referenceCollection' | 'referenceId' | 'customUrl'> & {
  /** The label of an item without one. */
  title: string;
};

/**
 * Plans the items of an imported menu, in the order of the source (contract 2.7). An item whose target is not here
 * links to its URL. Without a safe one it is left out with the warning MENU_ITEM_SKIPPED, and its children take its
 * place. An item of an unknown parent, or in a circle of parents, is at the top.
 */
export function planItems(given: readonly Item[], findTarget: FindTarget): PlannedItems {
  const distinct = [...new Map(given.map((item) => [item.id, item])).values()];
  const warnings: Warning[] = [];
  const linked: { item: Item; link: Link }[] = [];
  for (const item of distinct) {
    const link = linkOf(item, findTarget(item));
    const reason = link === null ? 'It has no target here and no safe URL' : 'The menu is full';
    if (link === null || linked.length >= maxItems)
      warnings.push({ id: item.id, code: 'MENU_ITEM_SKIPPED', message: reason });
    else linked.push({ item, link });
  }
  const ids = new Map(linked.map(({ item }) => [item.id, ulid()]));
  const parents = parentsOf(distinct, ids);
  return {
    items: linked.map(({ item, link }, sortOrder) => {
      const id = ids.get(item.id) ?? '';
      return {
        ...newItem(item, link),
        id,
        translationGroup: id,
        parentId: parents.get(id) ?? null,
        sortOrder,
      };
    }),
    warnings,
  };
}

function linkOf({ target }: Item, resolved: ResolvedTarget | undefined): Link | null {
  if (resolved) {
    const type = target.kind === 'term' ? 'taxonomy' : entryType(resolved.collection);
    const { collection, group, title } = resolved;
    return {
      type,
      referenceCollection: collection,
      referenceId: group,
      customUrl: null,
      title: title ?? target.url ?? '',
    };
  }
  const url = target.url?.trim() ?? '';
  if (!isAllowedUrl(url) || url.length > maxUrlLength) return null;
  return { type: 'custom', referenceCollection: null, referenceId: null, customUrl: url, title: url };
}

function entryType(collection: string): MenuItemType {
  if (collection === 'pages') return 'page';
  return collection === 'posts' ? 'post' : 'collection';
}

function newItem({ label, titleAttr, newTab, cssClasses }: Item, { title, ...link }: Link) {
  return {
    ...link,
    label: truncateText(label.trim() || title.trim(), maxLabelLength) || 'Untitled',
    titleAttr: truncateText(titleAttr?.trim() ?? '', maxLabelLength) || null,
    target: newTab ? '_blank' : null,
    cssClasses: truncateText(cssClasses?.trim() ?? '', maxLabelLength) || null,
  };
}

/** @returns the parents of the kept items, by their ids here. */
function parentsOf(
  given: readonly Item[],
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | null> {
  const parentOf = new Map(given.map(({ id, parentId }) => [id, parentId]));
  const parents = new Map<string, string | null>();
  for (const [source, id] of ids) {
    parents.set(id, keptAncestor(source, parentOf, ids));
    if (isOwnDescendant(parents, id)) parents.set(id, null);
  }
  return parents;
}

function keptAncestor(
  source: string,
  parentOf: ReadonlyMap<string, string | null>,
  ids: ReadonlyMap<string, string>,
): string | null {
  const seen = new Set([source]);
  for (let above = parentOf.get(source) ?? null; above !== null; above = parentOf.get(above) ?? null) {
    if (seen.has(above)) return null;
    seen.add(above);
    const kept = ids.get(above);
    if (kept !== undefined) return kept;
  }
  return null;
}
