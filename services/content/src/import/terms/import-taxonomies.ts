import { legalSlug } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { contentImportApi, RequestOf } from '@quire/internal-api';
import { truncateText, ulid } from '@quire/values';
import { inLocale } from '../../locales/index.js';
import {
  insertDefinition,
  selectDefinitionsOfTaxonomy,
  updateTaxonomyRow,
  upsertTaxonomy,
} from '../../taxonomies/definitions/index.js';
import { singularOf } from '../prepare/index.js';
import { lockTaxonomies, selectKnownCollections, type LockedTaxonomy } from './import-terms.repository.js';

type Request = RequestOf<typeof contentImportApi.importTerms>;
type SourceTaxonomy = Request['taxonomies'][number];

/** @returns the name of a taxonomy for one of the source: names of the source may have hyphens (contract 2.5). */
export const taxonomyName = (name: string): string => legalSlug(name, 'taxonomy');

const maxLabelLength = 200;

/**
 * Locks the taxonomies that a call names, and creates what they lack: the taxonomy, its definition in the locale, its
 * collections. A flat one becomes hierarchical when the source has parents in it: a later part of a split export may
 * have the first ones.
 * @returns the locked taxonomies by name.
 * @throws QuireError VALIDATION_ERROR for a term of a taxonomy that neither exists nor is given.
 */
export async function ensureTaxonomies(
  tx: Transaction,
  locale: string,
  { taxonomies, terms }: Pick<Request, 'taxonomies' | 'terms'>,
): Promise<Map<string, LockedTaxonomy>> {
  const given = new Map(taxonomies.map((taxonomy) => [taxonomyName(taxonomy.name), taxonomy]));
  const names = [...new Set([...given.keys(), ...terms.map(({ taxonomy }) => taxonomyName(taxonomy))])];
  const locked = await lockByName(tx, names);
  const known = await selectKnownCollections(
    tx,
    taxonomies.flatMap(({ collections }) => collections),
  );
  for (const [name, taxonomy] of given) {
    const collections = [...new Set(taxonomy.collections)].filter((slug) => known.has(slug));
    await ensureTaxonomy(tx, locked.get(name), { ...taxonomy, name, collections }, locale);
  }
  const complete = given.size > 0 ? await lockByName(tx, names) : locked;
  const unknown = terms.findIndex(({ taxonomy }) => !complete.has(taxonomyName(taxonomy)));
  if (unknown >= 0) throw invalidInput([{ path: `terms.${unknown}.taxonomy`, message: 'is not a taxonomy' }]);
  return complete;
}

async function lockByName(tx: Transaction, names: readonly string[]): Promise<Map<string, LockedTaxonomy>> {
  const rows = await lockTaxonomies(tx, names);
  return new Map(rows.map((taxonomy) => [taxonomy.name, taxonomy]));
}

async function ensureTaxonomy(
  tx: Transaction,
  stored: LockedTaxonomy | undefined,
  { name, label, hierarchical, collections }: SourceTaxonomy,
  locale: string,
): Promise<void> {
  const { id } = stored ?? (await upsertTaxonomy(tx, { id: ulid(), name, hierarchical, collections }));
  const definitions = await selectDefinitionsOfTaxonomy(tx, id);
  if (!inLocale(definitions, locale)) {
    const shownLabel = truncateText(label.trim(), maxLabelLength) || name;
    await insertDefinition(tx, {
      id: stored || definitions.length > 0 ? ulid() : id,
      taxonomyId: id,
      locale,
      label: shownLabel,
      labelSingular: singularOf(shownLabel),
    });
  }
  if (!stored) return;
  const added = collections.filter((slug) => !stored.collections.includes(slug));
  await updateTaxonomyRow(tx, id, {
    hierarchical: hierarchical && !stored.hierarchical ? true : undefined,
    collections: added.length > 0 ? [...stored.collections, ...added] : undefined,
  });
}
