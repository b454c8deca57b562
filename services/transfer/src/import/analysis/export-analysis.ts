import { checkImportCompatibility, type FieldType } from '@quire/content-model';
import type { contentImportApi } from '@quire/internal-api';
import {
  assignmentsOf,
  attachmentCategory,
  attachmentOf,
  authorName,
  cleanTitle,
  commentStatusOf,
  contentKindOf,
  declaredMenu,
  declaredTerm,
  featuredImageKey,
  menuItemOf,
  metaByKey,
  plainText,
  sourceSlug,
  suggestedCollection,
  targetStatus,
  termSlug,
  type ExportAuthor,
  type ExportEvent,
  type ExportItem,
  type ExportTerm,
  type MetaTypeJudge,
} from '../export-file/index.js';
import { isNoiseKey } from '../export-file/index.js';
import type { AnalysedPostType, Analysis } from './analysis.schemas.js';
import { judgeOf, PostTypeFacts } from './post-type-facts.js';

const maxWarnings = 1000;
/** Keys that are listed; a file may invent any number. */
const maxKeys = 5000;
const maxSampleTerms = 3;
/** Taxonomies of every site, by their names at the source. */
const ownTaxonomies: ReadonlySet<string> = new Set(['category', 'post_tag']);
const anyTime = new Date(0);

/**
 * Gathers what an export holds from its events. Memory grows with its types, keys, terms and attachments, and by one
 * number an item.
 */
export class ExportAnalysis {
  private readonly head = { title: '', url: '', version: '' };
  private readonly postTypes = new Map<string, PostTypeFacts>();
  private readonly skippedTypes = new Map<string, number>();
  private readonly judges = new Map<string, MetaTypeJudge>();
  private readonly terms = new Map<string, Map<string, string>>();
  private readonly authors = new Map<string, Analysis['authors'][number]>();
  private readonly menus = new Map<string, Analysis['navMenus'][number]>();
  private readonly attachments: Analysis['attachments'] = {
    count: 0,
    items: [],
    byType: { image: 0, video: 0, audio: 0, document: 0, other: 0 },
  };
  private readonly reusableBlocks: Analysis['reusableBlocks'] = [];
  private readonly comments = { total: 0, importable: 0 };
  private readonly warnings: Analysis['warnings'] = [];

  add(event: ExportEvent): void {
    switch (event.type) {
      case 'channel': {
        const { title, baseBlogUrl, link, baseSiteUrl, version } = event.channel;
        Object.assign(this.head, {
          title: plainText(title),
          url: baseBlogUrl || link || baseSiteUrl,
          version,
        });
        break;
      }
      case 'author':
        this.addAuthor(event.author);
        break;
      case 'term':
        this.addTerm(event.term);
        break;
      case 'item':
        this.addItem(event.item);
        break;
      case 'broken-item':
        if (this.warnings.length < maxWarnings)
          this.warnings.push({ code: 'ITEM_UNREADABLE', message: event.reason, line: event.line });
    }
  }

  /** The analysis against the present collections of the site. */
  result(targets: contentImportApi.ImportTargets): Omit<Analysis, 'importId'> {
    const custom = [...this.terms].filter(([taxonomy]) => !ownTaxonomies.has(taxonomy));
    return {
      wxrVersion: this.head.version,
      site: { title: this.head.title, url: this.head.url },
      postTypes: this.analysedTypes(targets),
      attachments: this.attachments,
      categories: this.terms.get('category')?.size ?? 0,
      tags: this.terms.get('post_tag')?.size ?? 0,
      customTaxonomies: custom.map(([slug, terms]) => ({
        slug,
        termCount: terms.size,
        sampleTerms: [...terms.values()].slice(0, maxSampleTerms),
      })),
      navMenus: [...this.menus.values()],
      reusableBlocks: this.reusableBlocks,
      authors: [...this.authors.values()],
      customFields: [...this.judges.values()]
        .map((judge) => judge.result())
        .sort((a, b) => b.count - a.count),
      comments: this.comments,
      skippedTypes: [...this.skippedTypes].map(([name, count]) => ({ name, count })),
      warnings: this.warnings,
    };
  }

  private analysedTypes({ collections }: contentImportApi.ImportTargets): AnalysedPostType[] {
    const fieldsOf = new Map(collections.map(({ slug, fields }) => [slug, fields]));
    const suggested = new Set<string>();
    return [...this.postTypes]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([name, facts]) => {
        const collection = suggestedCollection(name, suggested);
        suggested.add(collection);
        const requiredFields = facts.requiredFields();
        const existing = fieldsOf
          .get(collection)
          ?.map(({ slug, type }) => ({ slug, type: type as FieldType }));
        const { status, schemaStatus } = checkImportCompatibility(requiredFields, existing ?? null);
        return {
          name,
          count: facts.count,
          suggestedCollection: collection,
          status,
          requiredFields,
          schemaStatus: { status, ...schemaStatus },
        };
      });
  }

  private addAuthor(author: ExportAuthor): void {
    const { login, id, email } = author;
    if (login === '' || this.authors.has(login)) return;
    this.authors.set(login, {
      ...(id !== null && { id }),
      login,
      ...(email !== '' && { email }),
      displayName: authorName(login, author),
      postCount: 0,
    });
  }

  private addTerm(declared: ExportTerm): void {
    const menu = declaredMenu(declared);
    if (menu && !this.menus.has(menu.slug))
      this.menus.set(menu.slug, { name: menu.slug, label: menu.name, itemCount: 0 });
    const term = declaredTerm(declared);
    if (term) this.takeTerm(term.sourceTaxonomy, term.slug, term.name);
  }

  private takeTerm(taxonomy: string, slug: string, name: string): void {
    const terms = this.terms.get(taxonomy) ?? new Map<string, string>();
    this.terms.set(taxonomy, terms);
    if (!terms.has(slug)) terms.set(slug, name);
  }

  private addItem(item: ExportItem): void {
    switch (contentKindOf(item.type)) {
      case 'entry':
        this.addContent(item);
        break;
      case 'attachment':
        this.addAttachment(item);
        break;
      case 'section':
        this.addReusableBlock(item);
        break;
      case 'menu-item':
        this.addMenuItem(item);
        break;
      case 'skipped':
        this.skippedTypes.set(item.type, (this.skippedTypes.get(item.type) ?? 0) + 1);
    }
  }

  private addContent(item: ExportItem): void {
    const facts = this.postTypes.get(item.type) ?? new PostTypeFacts();
    this.postTypes.set(item.type, facts);
    facts.add(item);
    for (const [key, values] of metaByKey(item.meta)) {
      if (key === featuredImageKey || isNoiseKey(key)) continue;
      if (this.judges.has(key) || this.judges.size < maxKeys) judgeOf(this.judges, key).add(values);
    }
    if (targetStatus(item, null, anyTime).status === 'skipped') return;
    for (const { sourceTaxonomy, slug, name } of assignmentsOf(item)) {
      const key = slug ?? termSlug(null, name);
      if (key !== null) this.takeTerm(sourceTaxonomy, key, name);
    }
    if (item.creator !== null) this.countPost(item.creator);
    this.comments.total += item.comments.length;
    this.comments.importable += item.comments.filter((comment) => commentStatusOf(comment) !== null).length;
  }

  private countPost(login: string): void {
    const author = this.authors.get(login) ?? { login, displayName: login, postCount: 0 };
    this.authors.set(login, { ...author, postCount: author.postCount + 1 });
  }

  private addAttachment(item: ExportItem): void {
    const attachment = attachmentOf(item);
    if (!attachment) return;
    const { id, title, url, filename, mimeType, alt, caption, width, height } = attachment;
    const facts = { id, title, url, filename, mimeType, alt, caption, width, height };
    this.attachments.count += 1;
    this.attachments.byType[attachmentCategory(mimeType)] += 1;
    this.attachments.items.push(
      Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
    );
  }

  private addReusableBlock(item: ExportItem): void {
    const { sourceId, title } = item;
    if (sourceId === null || item.status !== 'publish') return;
    this.reusableBlocks.push({ id: sourceId, title: cleanTitle(title).title, slug: sourceSlug(item) ?? '' });
  }

  private addMenuItem(item: ExportItem): void {
    const facts = menuItemOf(item);
    if (!facts?.menu || facts.isDraft) return;
    const menu = this.menus.get(facts.menu) ?? {
      name: facts.menu,
      label: facts.menuName || facts.menu,
      itemCount: 0,
    };
    this.menus.set(facts.menu, { ...menu, itemCount: menu.itemCount + 1 });
  }
}
