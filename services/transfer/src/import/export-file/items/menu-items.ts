import { readMetaValue } from '../meta/meta-value.js';
import type { ExportItem } from '../reading/export-item.js';
import { plainText } from './title.js';
import { decodeSlug } from './slug.js';
import { menuTaxonomy } from './taxonomies.js';

export type MenuItemKind = 'custom' | 'post_type' | 'taxonomy' | 'post_type_archive';

/** A `nav_menu_item` (2.7), its values read and its target not looked up. */
export interface SourceMenuItem {
  sourceId: number | null;
  /** The decoded slug of its menu; null if it has none. */
  menu: string | null;
  /** The name of the menu as the item repeats it. */
  menuName: string;
  order: number;
  /** The id of the menu item above it, 0 for none. It may come later in the file, or never. */
  parentId: number;
  kind: MenuItemKind;
  /** The post type or the taxonomy of the target. */
  object: string;
  /** The id of the target: an item or a term; 0 for none. */
  objectId: number;
  /** The target of a custom item; empty otherwise. It is not checked. */
  url: string;
  /** `_blank` or empty. */
  target: string;
  classes: string[];
  /** Plain text; empty means the title of the target. */
  title: string;
  /** Plain text of the title attribute; empty for none. */
  titleAttribute: string;
  /** Whether the item belongs to no menu yet; such items are left out. */
  isDraft: boolean;
}

const kinds: readonly string[] = [
  'custom',
  'post_type',
  'taxonomy',
  'post_type_archive',
] satisfies MenuItemKind[];

/** Reads a menu item; null if the item is of another type. An unknown kind counts as a custom link. */
export function menuItemOf(item: ExportItem): SourceMenuItem | null {
  if (item.type !== 'nav_menu_item') return null;
  const meta = (name: string) => {
    const key = `_menu_item_${name}`;
    return item.meta.find((entry) => entry.key === key)?.value.trim() ?? '';
  };
  const menu = item.terms.find((term) => term.domain === menuTaxonomy);
  return {
    sourceId: item.sourceId,
    menu: decodeSlug(menu?.nicename ?? menu?.name ?? '') || null,
    menuName: plainText(menu?.name ?? ''),
    order: item.menuOrder,
    parentId: idOf(meta('menu_item_parent')),
    kind: kindOf(meta('type')),
    object: meta('object'),
    objectId: idOf(meta('object_id')),
    url: meta('url'),
    target: meta('target'),
    classes: classesOf(meta('classes')),
    title: plainText(item.title),
    titleAttribute: plainText(item.excerpt),
    isDraft: item.status !== 'publish',
  };
}

function kindOf(type: string): MenuItemKind {
  return kinds.includes(type) ? (type as MenuItemKind) : 'custom';
}

function idOf(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}

function classesOf(serialised: string): string[] {
  const value = readMetaValue(serialised);
  const classes = Array.isArray(value) ? value : [value];
  return classes
    .filter((name): name is string => typeof name === 'string')
    .flatMap((names) => names.match(/\S+/g) ?? []);
}
