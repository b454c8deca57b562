import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { invalidInput, notFound, QuireError, type Issue } from '@quire/errors';
import { ulid } from 'ulid';
import type { Locales } from '../../../locales/index.js';
import {
  selectDefinitionsOfTaxonomy,
  lockTaxonomy,
  assertCollectionsExist,
  type TaxonomyDef,
  type TaxonomyRow,
} from '../taxonomies.repository.js';
import type { TaxonomyInput } from '../taxonomies.schemas.js';
import { TaxonomyDefinition } from '../taxonomy-definition.entity.js';

/**
 * Makes a taxonomy, or gives one that exists a further locale: that takes the taxonomy's `hierarchical` and
 * `collections` (spec document 1, Content rule 5).
 * @throws QuireError CONFLICT (the name has this locale), NOT_FOUND (translationOf), VALIDATION_ERROR (other values
 * than the taxonomy's, an unknown collection, translationOf of another name).
 */
export async function createTaxonomy(
  ctx: Context,
  locales: Locales,
  input: TaxonomyInput,
): Promise<TaxonomyDef> {
  const locale = input.locale === undefined ? locales.default : locales.stored(input.locale);
  try {
    return await ctx.db.transaction(async (tx) => {
      if (input.translationOf !== undefined)
        await assertTranslationSource(tx, input.name, input.translationOf);
      await assertCollectionsExist(tx, input.collections);
      const id = ulid();
      const taxonomy = await upsertTaxonomy(tx, id, input);
      // First what the name and locale forbid, then what the values do.
      await tx.repository(TaxonomyDefinition).insert({
        id,
        taxonomyId: taxonomy.id,
        locale,
        label: input.label,
        labelSingular: input.labelSingular ?? null,
      });
      assertSameSettings(taxonomy, input);
      const [definition] = await selectDefinitionsOfTaxonomy(tx, taxonomy.id, [locale]);
      if (!definition) throw new Error('Inserted taxonomy definition not found');
      return definition;
    });
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    const message = `Taxonomy '${input.name}' already exists in the locale '${locale}'`;
    throw new QuireError('CONFLICT', message, { cause: error });
  }
}

/** `translationOf` is the id of a definition or of a group; a taxonomy has one name in all locales. */
async function assertTranslationSource(tx: Transaction, name: string, id: string): Promise<void> {
  const [source] = await tx.query<{ name: string }>(
    `SELECT t.name FROM taxonomies t
     WHERE t.id = $1 OR EXISTS (SELECT 1 FROM taxonomy_definitions d WHERE d.taxonomy_id = t.id AND d.id = $1)`,
    [id],
  );
  if (!source) throw notFound('taxonomy that translationOf names');
  if (source.name === name) return;
  throw invalidInput([{ path: 'translationOf', message: `is a definition of '${source.name}'` }]);
}

/**
 * The taxonomy of this name, held: the one that exists, else a new one. Of two at once one makes it, the other joins.
 */
async function upsertTaxonomy(tx: Transaction, id: string, input: TaxonomyInput): Promise<TaxonomyRow> {
  const { name, hierarchical = false, collections = [] } = input;
  // The update changes nothing and holds the row: between finding and holding it could be deleted.
  await tx.query(
    `INSERT INTO taxonomies (id, name, hierarchical, collections) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET name = excluded.name`,
    [id, name, hierarchical, collections],
  );
  return lockTaxonomy(tx, name, 'FOR UPDATE');
}

/** What is sent must be what the taxonomy has; what is not sent is taken from it. */
function assertSameSettings(taxonomy: TaxonomyRow, { hierarchical, collections }: TaxonomyInput): void {
  const issues: Issue[] = [];
  if (hierarchical !== undefined && hierarchical !== taxonomy.hierarchical) {
    issues.push({
      path: 'hierarchical',
      message: `is ${taxonomy.hierarchical} for all locales of this taxonomy`,
    });
  }
  if (collections && !isSameSet(collections, taxonomy.collections)) {
    const message = `are ${taxonomy.collections.join(', ') || 'none'} for all locales of this taxonomy`;
    issues.push({ path: 'collections', message });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((slug) => right.includes(slug));
}
