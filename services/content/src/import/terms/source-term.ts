import type { contentImportApi } from '@quire/internal-api';

/** A term of a request with its taxonomy. */
export interface SourceTerm {
  /** The name of the taxonomy here. */
  taxonomy: string;
  taxonomyId: string;
  isHierarchical: boolean;
  slug: string;
  label: string;
  description: string | null;
  parentSlug: string | null;
}

/** What one step of an import of terms works on. */
export interface TermsStep {
  run: contentImportApi.ImportRun;
  locale: string;
  /** Each slug of a taxonomy once. */
  terms: readonly SourceTerm[];
}

/** Identifies a term among those of one locale. */
export const termKey = ({ taxonomyId, slug }: { taxonomyId: string; slug: string }) =>
  `${taxonomyId}\u0000${slug}`;

/** @returns the identity of a term at the source: a slug is one term in each locale. */
export const termSource = ({ taxonomy, slug }: SourceTerm, locale: string): contentImportApi.SourceKey => ({
  type: `term:${taxonomy}`,
  id: `${locale}/${slug}`,
});

/** @returns the terms, each once: one may be listed twice, and have its parent in one place only. */
export function distinctTerms(terms: readonly SourceTerm[]): SourceTerm[] {
  const distinct = new Map<string, SourceTerm>();
  for (const term of terms) {
    const former = distinct.get(termKey(term));
    distinct.set(
      termKey(term),
      former ? { ...former, parentSlug: former.parentSlug ?? term.parentSlug } : term,
    );
  }
  return [...distinct.values()];
}
