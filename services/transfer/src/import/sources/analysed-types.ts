import { checkImportCompatibility, type FieldType, type RequiredField } from '@quire/content-model';
import type { AnalysedType, AnalysisContext } from '@quire/import-sources';
import { suggestedCollection } from '../export-file/index.js';

/** The collections of the site by slug, with their fields. */
export type ExistingCollections = Awaited<ReturnType<AnalysisContext['getExistingCollections']>>;

/** What the analysis of a source knows of a type. */
export interface TypeFacts {
  name: string;
  count: number;
  requiredFields: RequiredField[];
}

/** The types of a source, each with a collection of its own and its fit to that; the most frequent one first. */
export function analysedTypes(types: readonly TypeFacts[], collections: ExistingCollections): AnalysedType[] {
  const suggested = new Set<string>();
  return [...types]
    .sort((a, b) => b.count - a.count)
    .map((type) => {
      const collection = suggestedCollection(type.name, suggested);
      suggested.add(collection);
      const existing = collections.get(collection);
      const fields = existing?.map(({ slug, type: known }) => ({ slug, type: known as FieldType })) ?? null;
      return {
        ...type,
        suggestedCollection: collection,
        ...checkImportCompatibility(type.requiredFields, fields),
      };
    });
}
