import {
  baseImportFields,
  featuredImageField,
  importLabel,
  parentField,
  type RequiredField,
} from '@quire/content-model';
import {
  featuredImageKey,
  fieldTypeOf,
  isFieldKey,
  isInternalKey,
  metaByKey,
  MetaTypeJudge,
  type ExportItem,
} from '../export-file/index.js';

/** Fields of a post type from its meta keys; further keys stay in the records of the import. */
const maxMetaFields = 250;

/** What the items of a post type have in common. */
export class PostTypeFacts {
  count = 0;
  private hasFeaturedImage = false;
  private readonly judges = new Map<string, MetaTypeJudge>();
  private readonly parents = new ParentSearch();

  add(item: ExportItem): void {
    const { meta } = item;
    this.count += 1;
    this.parents.add(item);
    for (const [key, values] of metaByKey(meta)) {
      if (key === featuredImageKey) this.hasFeaturedImage ||= values.some((value) => value.trim() !== '');
      if (!isFieldKey(key) || isInternalKey(key)) continue;
      judgeOf(this.judges, key).add(values);
    }
  }

  /**
   * The fields that an import of the type needs (contract 1.2): the base fields, those for featured images and parents
   * where items have some, and one for each meta key whose values the source's editor shows.
   */
  requiredFields(): RequiredField[] {
    const fields = [
      ...baseImportFields,
      ...(this.hasFeaturedImage ? [featuredImageField] : []),
      ...(this.parents.isFound ? [parentField] : []),
    ];
    const bySlug = new Map(fields.map((field) => [field.slug, field]));
    for (const judge of this.judges.values()) {
      const { key, samples, suggestedField: slug, suggestedType } = judge.result();
      if (samples.length === 0 || bySlug.size >= maxMetaFields) continue;
      const field = { slug, label: labelOf(key), type: fieldTypeOf(suggestedType), required: false };
      const known = bySlug.get(slug);
      // Values of several keys in one field: only JSON has all of them.
      bySlug.set(slug, known ? { ...field, type: 'json' } : field);
    }
    return [...bySlug.values()];
  }
}

/** Finds out whether an item of a type is the parent of another: before or after it. Memory: one number an item. */
class ParentSearch {
  isFound = false;
  private readonly ids = new Set<number>();
  private readonly awaited = new Set<number>();

  add({ sourceId, parentId }: ExportItem): void {
    if (this.isFound || sourceId === null || parentId === sourceId) return;
    this.isFound = this.awaited.has(sourceId) || this.ids.has(parentId);
    this.ids.add(sourceId);
    if (parentId > 0) this.awaited.add(parentId);
  }
}

/** The judge of a key, a new one at its first value. */
export function judgeOf(judges: Map<string, MetaTypeJudge>, key: string): MetaTypeJudge {
  const judge = judges.get(key) ?? new MetaTypeJudge(key);
  judges.set(key, judge);
  return judge;
}

/** The words of a key, 200 characters at most; the key itself if it has none. */
const labelOf = (key: string): string => (importLabel(key) || key).slice(0, 200);
