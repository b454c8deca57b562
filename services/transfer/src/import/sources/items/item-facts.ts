import { baseImportFields, featuredImageField, importLabel, type RequiredField } from '@quire/content-model';
import type { AnalysedCustomField, Item } from '@quire/import-sources';
import { fieldSlugOf, fieldTypeOf, isFieldKey, isInternalKey, termSlug } from '../../export-file/index.js';
import { termsByTaxonomy } from './source-item-index.js';

const maxKeys = 250;
const maxSamples = 3;
const maxSampleLength = 100;
const maxLabelLength = 200;

/** What items have in common: of one type, or of all. Memory grows with the keys, terms and authors only. */
export class ItemFacts {
  count = 0;
  /** Slugs of the terms by taxonomy of the source, with one of their names. */
  readonly terms = new Map<string, Map<string, string>>();
  /** Numbers of items by login. */
  readonly authors = new Map<string, number>();
  private hasFeaturedImage = false;
  private readonly metaKeys = new Map<string, AnalysedCustomField>();

  add(item: Item): void {
    const { author, featuredImage, meta = {} } = item;
    this.count += 1;
    this.hasFeaturedImage ||= featuredImage !== undefined;
    if (author !== undefined) this.authors.set(author, (this.authors.get(author) ?? 0) + 1);
    for (const [taxonomy, names] of termsByTaxonomy(item)) this.addTerms(taxonomy, names);
    for (const [key, value] of Object.entries(meta)) if (isFieldKey(key)) this.addMeta(key, value);
  }

  /** The meta keys, the most frequent one first. */
  customFields(): AnalysedCustomField[] {
    return [...this.metaKeys.values()].sort((a, b) => b.count - a.count);
  }

  /** The base fields, and one for each meta key that has a value and is not internal. */
  requiredFields(): RequiredField[] {
    const fields = [...baseImportFields, ...(this.hasFeaturedImage ? [featuredImageField] : [])];
    const bySlug = new Map(fields.map((field) => [field.slug, field]));
    for (const { key, samples, suggestedField: slug, suggestedType, isInternal } of this.metaKeys.values()) {
      if (isInternal || samples.length === 0) continue;
      const label = (importLabel(key) || key).slice(0, maxLabelLength);
      const field = { slug, label, type: fieldTypeOf(suggestedType), required: false };
      bySlug.set(slug, bySlug.has(slug) ? { ...field, type: 'json' } : field);
    }
    return [...bySlug.values()];
  }

  private addTerms(taxonomy: string, names: readonly string[]): void {
    const known = this.terms.get(taxonomy) ?? new Map<string, string>();
    this.terms.set(taxonomy, known);
    for (const name of names) {
      const slug = termSlug(null, name);
      if (slug !== null && !known.has(slug)) known.set(slug, name);
    }
  }

  private addMeta(key: string, value: unknown): void {
    const known = this.metaKeys.get(key);
    if (!known && this.metaKeys.size >= maxKeys) return;
    const samples = known?.samples ?? [];
    const isEmpty = value === null || value === '';
    const type = isEmpty ? known?.suggestedType : typeOf(value);
    // Values of several types in one field: only JSON has all of them.
    const isMixed = samples.length > 0 && type !== known?.suggestedType;
    this.metaKeys.set(key, {
      key,
      count: (known?.count ?? 0) + 1,
      samples: isEmpty || samples.length >= maxSamples ? samples : [...samples, sampleOf(value)],
      suggestedField: fieldSlugOf(key),
      suggestedType: isMixed ? 'json' : (type ?? 'string'),
      isInternal: isInternalKey(key),
    });
  }
}

function typeOf(value: unknown): AnalysedCustomField['suggestedType'] {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'json';
}

function sampleOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [...text.slice(0, 2 * maxSampleLength)].slice(0, maxSampleLength).join('');
}
