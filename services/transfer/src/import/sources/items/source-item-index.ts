import { importLabel } from '@quire/content-model';
import { isItemFault, type Item, type ItemFault } from '@quire/import-sources';
import { cleanTitle, isContentTaxonomy, plainText, taxonomyName, termSlug } from '../../export-file/index.js';

/** A row of the index of an import: an author, a term, an item, or an item that is invalid. */
export interface SourceItemRow {
  /** Place in the order of the source, from 1. */
  position: number;
  kind: 'author' | 'term' | 'content' | 'broken';
  sourceType: string;
  sourceId: string | null;
  title: string;
  slug: string | null;
  parentId: string | null;
  languageGroup: string | null;
  facts: object;
  state: 'pending';
  /** Of items: their place in the stored lines, in bytes. */
  offset?: number;
  length?: number;
}

/** A taxonomy that items have terms of. */
export interface ItemTaxonomy {
  label: string;
  hierarchical: boolean;
  /** Types of the items that have its terms. */
  postTypes: string[];
}

/** A part of the stored items, and the rows that belong to it. */
export interface IndexedItem {
  /** One line of JSON; empty for a fault. */
  bytes: Uint8Array;
  rows: SourceItemRow[];
}

/** The terms of an item by the name of their taxonomy, as the source writes them. */
export function termsByTaxonomy({ categories, tags, customTaxonomies }: Item): [string, readonly string[]][] {
  const all: [string, readonly string[]][] = [
    ['category', categories ?? []],
    ['post_tag', tags ?? []],
    ...Object.entries(customTaxonomies ?? {}),
  ];
  return all.filter(([taxonomy]) => isContentTaxonomy(taxonomy));
}

/**
 * Turns the items of a source into lines of JSON and the rows of an index, so that a run can be resumed without another
 * request to the source: each item is read again by its place. An item's author and terms get rows before the item.
 */
export class SourceItemIndex {
  private position = 0;
  private offset = 0;
  private readonly authors = new Set<string>();
  private readonly terms = new Set<string>();
  private readonly taxonomiesByName = new Map<string, ItemTaxonomy>();

  add(entry: Item | ItemFault): IndexedItem {
    if (isItemFault(entry)) return { bytes: new Uint8Array(), rows: [this.faultRow(entry)] };
    const bytes = Buffer.from(`${JSON.stringify(entry)}\n`);
    const rows = [...this.authorRows(entry), ...this.termRows(entry), this.itemRow(entry, bytes.length)];
    return { bytes, rows };
  }

  /** The taxonomies of the items so far, by the name that they get on this site. */
  get taxonomies(): Record<string, ItemTaxonomy> {
    return Object.fromEntries(this.taxonomiesByName);
  }

  private row(row: Pick<SourceItemRow, 'kind' | 'sourceType'> & Partial<SourceItemRow>): SourceItemRow {
    this.position += 1;
    return {
      position: this.position,
      sourceId: null,
      title: '',
      slug: null,
      parentId: null,
      languageGroup: null,
      facts: {},
      state: 'pending',
      ...row,
    };
  }

  private authorRows({ author }: Item): SourceItemRow[] {
    if (author === undefined || this.authors.has(author)) return [];
    this.authors.add(author);
    return [
      this.row({
        kind: 'author',
        sourceType: 'author',
        sourceId: author,
        title: plainText(author) || author,
      }),
    ];
  }

  private termRows(item: Item): SourceItemRow[] {
    return termsByTaxonomy(item).flatMap(([source, names]) => {
      const taxonomy = taxonomyName(source);
      return names.flatMap((name) => {
        const slug = termSlug(null, name);
        if (slug === null) return [];
        this.addType(taxonomy, source, item.postType);
        const key = `${taxonomy}\n${slug}`;
        if (this.terms.has(key)) return [];
        this.terms.add(key);
        const title = plainText(name) || slug;
        return [this.row({ kind: 'term', sourceType: taxonomy, slug, title, facts: { description: '' } })];
      });
    });
  }

  private addType(taxonomy: string, source: string, postType: string): void {
    const known = this.taxonomiesByName.get(taxonomy) ?? {
      label: importLabel(source),
      hierarchical: false,
      postTypes: [],
    };
    this.taxonomiesByName.set(taxonomy, known);
    if (!known.postTypes.includes(postType)) known.postTypes.push(postType);
  }

  private itemRow(item: Item, length: number): SourceItemRow {
    const row = this.row({
      kind: 'content',
      sourceType: item.postType,
      sourceId: item.sourceId,
      title: cleanTitle(item.title).title,
      slug: item.slug,
      parentId: item.parentId ?? null,
      languageGroup: item.translationGroup ?? null,
      facts: { creator: item.author ?? null },
      offset: this.offset,
      length,
    });
    this.offset += length;
    return row;
  }

  private faultRow({ fault, title, sourceId }: ItemFault): SourceItemRow {
    return this.row({ kind: 'broken', sourceType: '(broken)', sourceId, title, facts: { reason: fault } });
  }
}
