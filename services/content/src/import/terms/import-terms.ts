import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { ulid } from '@quire/values';
import type { Locales } from '../../locales/index.js';
import { insertRecords, keyOf, lockSource, selectRecords } from '../records/index.js';
import { ensureTaxonomies, taxonomyName } from './import-taxonomies.js';
import {
  insertTerms,
  selectPlacedTerms,
  type LockedTaxonomy,
  type NewTerm,
} from './import-terms.repository.js';
import { linkTerms } from './link-terms.js';
import { distinctTerms, termKey, termSource, type SourceTerm, type TermsStep } from './source-term.js';

type Request = RequestOf<typeof contentImportApi.importTerms>;
type Response = ResponseOf<typeof contentImportApi.importTerms>;

/**
 * Creates the taxonomies and terms that are missing, or links terms to their parents, which are named by slug because
 * they may come after their children (contract 2.5). A term of the locale with the slug is reused: the slug identifies
 * it, so no term can be in the way of another.
 * @returns the counts by the names of taxonomies here; a repeated call of one import counts the same.
 * @throws QuireError VALIDATION_ERROR (locale, a term of no taxonomy).
 */
export async function importTerms(
  ctx: Context,
  locales: Locales,
  { locale: code, taxonomies, terms, step, ...run }: Request,
): Promise<Response> {
  const locale = locales.stored(code);
  return ctx.db.transaction(async (tx) => {
    await lockSource(tx, ctx.principal.tenant.id, run.site);
    const stored = await ensureTaxonomies(tx, locale, { taxonomies, terms });
    const work: TermsStep = { run, locale, terms: distinctTerms(terms.flatMap(withTaxonomy(stored))) };
    return step === 'create' ? createTerms(tx, work) : linkTerms(tx, work);
  });
}

const withTaxonomy =
  (stored: ReadonlyMap<string, LockedTaxonomy>) =>
  (term: Request['terms'][number]): SourceTerm[] => {
    const taxonomy = stored.get(taxonomyName(term.taxonomy));
    if (!taxonomy) return [];
    const { id, name, hierarchical } = taxonomy;
    return [{ ...term, taxonomy: name, taxonomyId: id, isHierarchical: hierarchical }];
  };

async function createTerms(tx: Transaction, { run, locale, terms }: TermsStep): Promise<Response> {
  const existing = new Set((await selectPlacedTerms(tx, locale, terms)).map(termKey));
  const records = await selectRecords(
    tx,
    run.site,
    terms.map((term) => termSource(term, locale)),
  );
  const missing = terms.filter((term) => !existing.has(termKey(term)));
  const rows = missing.map((term): NewTerm => {
    const { taxonomyId, slug, label, description } = term;
    return { id: ulid(), taxonomyId, slug, label: label.trim() || slug, description: description || null };
  });
  await insertTerms(tx, locale, rows);
  await insertRecords(
    tx,
    run,
    missing.map((term, index) => ({
      source: termSource(term, locale),
      kind: 'term',
      targetId: rows[index]?.id ?? '',
    })),
  );
  const isCreated = (term: SourceTerm) =>
    !existing.has(termKey(term)) || records.get(keyOf(termSource(term, locale)))?.importId === run.importId;
  return {
    created: countByTaxonomy(terms.filter(isCreated)),
    reused: countByTaxonomy(terms.filter((term) => !isCreated(term))),
    warnings: [],
  };
}

function countByTaxonomy(terms: readonly SourceTerm[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { taxonomy } of terms) counts.set(taxonomy, (counts.get(taxonomy) ?? 0) + 1);
  return Object.fromEntries(counts);
}
