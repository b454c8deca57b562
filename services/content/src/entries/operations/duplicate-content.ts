import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { SaveResponse } from '@quire/idempotency';
import { assertOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import { selectCredits } from '../../bylines/credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { copyAssignments } from '../../taxonomies/assignments/index.js';
import { loadEntry, type EntryTarget } from '../save-entry.js';
import type { EntryResponse } from '../entry.mapper.js';
import { editedValues, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryDeps } from '../entry-deps.js';
import { insertEntryWithSlug, slugFromTitle, type NewEntryPlan } from '../insert-entry-with-slug.js';
import { dropFullTargets } from '../references/apply-references.js';
import { missingTargets } from '../references/plain-references.js';
import { liveGroups, stagedOf, type ReferenceSelection } from '../references/reference-selection.js';

/**
 * Makes a new draft from what the caller sees of an entry in an edit view: draft over live, selections, credits, terms
 * and SEO data (decision 22). Stored values that are no longer valid are refused, as in any other write.
 * @param save keeps the answer with it
 * @throws QuireError NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, CONFLICT (a unique value).
 */
export async function duplicateContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  save?: SaveResponse,
): Promise<EntryResponse> {
  const plan = async (definition: CollectionDefinition) => {
    const source = await loadEntry(ctx.db, deps, definition, target, { rows: 'not-trashed' });
    assertOnRow(ctx.principal, 'content:edit', source.authorId);
    return planCopy(ctx, definition, source);
  };
  return insertEntryWithSlug(ctx, deps, target.collection, plan, save);
}

async function planCopy(
  ctx: Context,
  definition: CollectionDefinition,
  source: EntryRow,
): Promise<NewEntryPlan> {
  // Held against the fields as at publishing: a default would bring back what was cleared.
  const copied = asCopy(editedValues(definition, source));
  const { values, issues, references } = validateValues(definition.compiled, copied, 'publish');
  issues.push(...(await missingTargets(ctx.db, references)));
  if (issues.length > 0) throw invalidInput(issues);
  const credits = await selectCredits(ctx.db, source.id);
  const id = ulid();
  const selections = await copiedSelections(ctx.db, definition, source, id);
  const entry = {
    id,
    slug: slugFromTitle(values),
    locale: source._locale,
    translationGroup: id,
    authorId: ctx.principal.userId,
    primaryBylineId: credits[0]?.group ?? null,
    values,
    seo: source._seo,
    createdAt: null,
    publishedAt: null,
  };
  return {
    entry,
    isSlugGenerated: true,
    credits,
    selections,
    extraStatements: [copyAssignments(source._group, id)],
  };
}

/** What the source selects in an edit view, as far as the relations leave room for one more that does. */
async function copiedSelections(
  sql: Queryable,
  definition: CollectionDefinition,
  source: EntryRow,
  group: string,
): Promise<ReferenceSelection[]> {
  const staged = stagedOf(source);
  const selections: ReferenceSelection[] = [];
  for (const reference of definition.references) {
    const groups = staged[reference.field] ?? (await liveGroups(sql, reference, source._group));
    selections.push(await dropFullTargets(sql, group, { reference, groups }));
  }
  return selections;
}

function asCopy(values: EntryValues): EntryValues {
  const named = ['title', 'name'].find((slug) => typeof values[slug] === 'string');
  return named === undefined ? values : { ...values, [named]: `${String(values[named])} (Copy)` };
}
