import { importLabel } from '@quire/content-model';
import {
  assignmentsOf,
  attachmentOf,
  authorName,
  cleanTitle,
  contentKindOf,
  declaredMenu,
  declaredTerm,
  languageOf,
  menuItemOf,
  OffsetSamples,
  plainText,
  sourceSlug,
  targetStatus,
  termSlug,
  type ContentKind,
  type DeclaredTerm,
  type ExportAuthor,
  type ExportChannel,
  type ExportEvent,
  type ExportItem,
  type ExportTerm,
  type ItemPosition,
} from '../export-file/index.js';
import { UploadBases, type AttachmentNames } from '../media/index.js';
import type { ItemKind } from './import-item.entity.js';
import type { NewItem } from './import-items.repository.js';
import { emptyChannel, type ImportChannel, type SourceTaxonomy } from './import-state.js';

/** Facts of a term: see `importTerms`. */
export interface TermFacts {
  description: string;
}

/** Facts of an entry's item. */
export interface ContentFacts {
  creator: string | null;
}

/** Facts of an attachment. */
export interface AttachmentFacts extends AttachmentNames {
  alt: string | null;
  caption: string | null;
  mimeType: string | null;
  menuOrder: number;
}

const kinds: Readonly<Record<ContentKind, ItemKind>> = {
  entry: 'content',
  attachment: 'attachment',
  section: 'section',
  'menu-item': 'menu-item',
  skipped: 'internal',
};

/** Any date later than all dates: whether an item is skipped does not depend on the time. */
const anyTime = new Date(0);

/**
 * Derives the index of an export from its events: one row for each author, term and item, in file order, and what is
 * known of the file as a whole. Terms that items only assign get rows too.
 */
export class ExportIndex {
  private position = 0;
  private readonly channelFacts: ImportChannel = structuredClone(emptyChannel);
  private readonly taxonomies = new Map<string, SourceTaxonomy>();
  private readonly offsets = new OffsetSamples();
  private readonly uploadBases = new UploadBases();
  private readonly declaredKeys = new Set<string>();
  private readonly assigned = new Map<string, DeclaredTerm>();

  /** The rows of an event. */
  add(event: ExportEvent): NewItem[] {
    switch (event.type) {
      case 'channel':
        this.takeChannel(event.channel);
        return [];
      case 'author':
        return this.authorRows(event.author);
      case 'term':
        return this.termRows(event.term);
      case 'item':
        return [this.itemRow(event.item, event)];
      case 'broken-item':
        return [this.brokenRow(event)];
    }
  }

  /** The rows that are known at the end: terms that are assigned and declared nowhere. */
  finish(): NewItem[] {
    const undeclared = [...this.assigned].filter(([key]) => !this.declaredKeys.has(key));
    return undeclared.map(([, term]) => this.termRow(term));
  }

  /** What the file says of its site; after the last event. */
  channel(): ImportChannel {
    return {
      ...this.channelFacts,
      offsets: this.offsets.toJSON(),
      uploadBases: this.uploadBases.list(this.channelFacts.siteUrl),
      taxonomies: Object.fromEntries(this.taxonomies),
    };
  }

  private next(): number {
    this.position += 1;
    return this.position;
  }

  private takeChannel({ title, version, namespaces, baseBlogUrl, baseSiteUrl, link }: ExportChannel): void {
    const siteUrl = baseBlogUrl || link || baseSiteUrl;
    Object.assign(this.channelFacts, { title: plainText(title), version, namespaces, siteUrl });
  }

  private authorRows(author: ExportAuthor): NewItem[] {
    const { login, id } = author;
    if (login === '') return [];
    const title = authorName(login, author);
    const position = this.next();
    return [
      {
        position,
        kind: 'author',
        sourceType: 'author',
        sourceId: login,
        title,
        facts: { id },
        state: 'pending',
      },
    ];
  }

  private termRows(declared: ExportTerm): NewItem[] {
    const menu = declaredMenu(declared);
    if (menu) {
      const { slug, name: title } = menu;
      return [{ position: this.next(), kind: 'menu', sourceType: 'nav_menu', slug, title, state: 'pending' }];
    }
    const term = declaredTerm(declared);
    if (!term) return [];
    const key = termKey(term.taxonomy, term.slug);
    if (this.declaredKeys.has(key)) return [];
    this.declaredKeys.add(key);
    return [this.termRow(term)];
  }

  private termRow({ taxonomy, sourceTaxonomy, slug, parent, name, description, id }: DeclaredTerm): NewItem {
    const known = this.taxonomy(taxonomy, sourceTaxonomy);
    known.hierarchical ||= parent !== null;
    const facts: TermFacts = { description };
    return {
      position: this.next(),
      kind: 'term',
      sourceType: taxonomy,
      sourceId: id === null ? null : String(id),
      title: name,
      slug,
      parentId: parent,
      facts,
      state: 'pending',
    };
  }

  private itemRow(item: ExportItem, { offset, length, line }: ItemPosition): NewItem {
    this.offsets.add(item.date, item.dateGmt);
    const kind = kinds[contentKindOf(item.type)];
    const row: NewItem = {
      position: this.next(),
      kind,
      sourceType: item.type,
      sourceId: item.sourceId === null ? null : String(item.sourceId),
      offset,
      length,
      line,
      title: cleanTitle(item.title).title,
      state: 'pending',
    };
    switch (kind) {
      case 'content':
        return { ...row, ...this.contentFacts(item) };
      case 'attachment':
        return { ...row, ...this.attachmentFacts(item) };
      case 'section':
        return { ...row, slug: sourceSlug(item), state: item.status === 'publish' ? 'pending' : 'skipped' };
      case 'menu-item': {
        const facts = menuItemOf(item);
        return { ...row, facts: facts ?? {}, state: facts?.isDraft === false ? 'pending' : 'skipped' };
      }
      default:
        return { ...row, state: 'skipped' };
    }
  }

  private contentFacts(item: ExportItem): Partial<NewItem> {
    const facts: ContentFacts = { creator: item.creator };
    const isSkipped = targetStatus(item, null, anyTime).status === 'skipped';
    if (!isSkipped) this.takeAssignments(item);
    return {
      slug: sourceSlug(item),
      parentId: item.parentId > 0 ? String(item.parentId) : null,
      languageGroup: languageOf(item).group ?? null,
      facts,
      state: isSkipped ? 'skipped' : 'pending',
    };
  }

  private attachmentFacts(item: ExportItem): Partial<NewItem> {
    const attachment = attachmentOf(item);
    if (!attachment) return { state: 'skipped' };
    this.uploadBases.add(attachment);
    const { url, guidUrl, file, variants, alt, caption, mimeType, menuOrder, parentId } = attachment;
    const facts: AttachmentFacts = { url, guidUrl, file, variants, alt, caption, mimeType, menuOrder };
    return { parentId: parentId > 0 ? String(parentId) : null, facts, state: 'skipped' };
  }

  private takeAssignments(item: ExportItem): void {
    for (const { taxonomy, sourceTaxonomy, slug: given, name } of assignmentsOf(item)) {
      const { postTypes } = this.taxonomy(taxonomy, sourceTaxonomy);
      if (!postTypes.includes(item.type)) postTypes.push(item.type);
      const slug = given ?? termSlug(null, name);
      if (slug === null) continue;
      const key = termKey(taxonomy, slug);
      if (this.declaredKeys.has(key) || this.assigned.has(key)) continue;
      const term = { id: null, sourceTaxonomy, taxonomy, slug, parent: null, name, description: '' };
      this.assigned.set(key, term);
    }
  }

  private brokenRow({ offset, length, line, reason }: ItemPosition & { reason: string }): NewItem {
    return {
      position: this.next(),
      kind: 'broken',
      sourceType: '(broken)',
      offset,
      length,
      line,
      title: `Line ${line}`,
      facts: { reason },
      state: 'pending',
    };
  }

  private taxonomy(name: string, sourceName: string): SourceTaxonomy {
    const known = this.taxonomies.get(name) ?? {
      label: importLabel(sourceName),
      hierarchical: false,
      postTypes: [],
    };
    this.taxonomies.set(name, known);
    return known;
  }
}

const termKey = (taxonomy: string, slug: string) => `${taxonomy}\n${slug}`;
