import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { invalidInput, notFound, QuireError, type Issue } from '@quire/errors';
import { ulid } from '@quire/values';
import type { Locales } from '../../../locales/index.js';
import {
  assertCollectionsExist,
  insertDefinition,
  selectDefinitionsOfTaxonomy,
  selectNameByTranslation,
  upsertTaxonomy,
  type TaxonomyDef,
  type TaxonomyRow,
} from '../taxonomies.repository.js';
import type { TaxonomyInput } from '../taxonomies.schemas.js';

/**
 * Creates a taxonomy, or adds a locale to an existing one, which keeps its `hierarchical` and `collections` (spec
 * document 1, Content rule 5).
 * @throws QuireError CONFLICT (the name has this locale), NOT_FOUND (translationOf), VALIDATION_ERROR (other values
 *   than the taxonomy's, an unknown collection, translationOf of another name).
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
      const { name, hierarchical = false, collections = [] } = input;
      const taxonomy = await upsertTaxonomy(tx, { id, name, hierarchical, collections });
      // Before the settings are compared: CONFLICT takes precedence over VALIDATION_ERROR.
      await insertDefinition(tx, {
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
  const source = await selectNameByTranslation(tx, id);
  if (source === undefined) throw notFound('taxonomy that translationOf names');
  if (source === name) return;
  throw invalidInput([{ path: 'translationOf', message: `is a definition of '${source}'` }]);
}

/** Given settings must equal those of the taxonomy. */
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
