import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { SaveResponse } from '@quire/idempotency';
import { assertOnRow } from '@quire/permissions';
import { ulid } from '@quire/values';
import { selectCredits } from '../../bylines/credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { copyAssignments } from '../../taxonomies/assignments/index.js';
import type { EntryDeps } from '../entry-deps.js';
import { editedValues, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryResponse } from '../entry.mapper.js';
import { insertEntryWithSlug, slugFromTitle, type NewEntryPlan } from '../insert-entry-with-slug.js';
import { loadEntry, type EntryTarget } from '../load-entry.js';
import { dropFullTargets } from '../references/apply-references.js';
import { missingTargets } from '../references/plain-references.js';
import { stagedOf, type ReferenceSelection } from '../references/reference-selection.js';
import { selectLiveGroups } from '../references/references.repository.js';

/**
 * Creates a new draft from an entry as its editors see it: the draft over the live values, selections, credits, terms
 * and SEO data (decision 22). Stored values that are no longer valid are rejected, as in any other write.
 * @param input.save stores the response with the entry, under the request's idempotency key
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, CONFLICT (a unique value).
 */
export async function duplicateContent(
  ctx: Context,
  deps: EntryDeps,
  { save, ...target }: EntryTarget & { save?: SaveResponse | undefined },
): Promise<EntryResponse> {
  const plan = async (definition: CollectionDefinition) => {
    const source = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, { rows: 'not-trashed' });
    assertOnRow(ctx.principal, 'content:edit', source.authorId);
    return planCopy(ctx, definition, source);
  };
  return insertEntryWithSlug(ctx, deps, { collection: target.collection, plan, save });
}

async function planCopy(
  ctx: Context,
  definition: CollectionDefinition,
  source: EntryRow,
): Promise<NewEntryPlan> {
  // Validated as for a publication: a creation would fill cleared fields with their defaults.
  const copied = withCopyTitle(editedValues(definition, source));
  const { values, issues, references } = validateValues(definition.compiled, copied, 'publish');
  issues.push(...(await missingTargets(ctx.db, references)));
  if (issues.length > 0) throw invalidInput(issues);
  const credits = await selectCredits(ctx.db, source.id);
  const id = ulid();
  const selections = await copySelections(ctx.db, definition, source, id);
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

/** @returns the selections of the source as its editors see them, without targets that a relation's limit excludes. */
async function copySelections(
  sql: Queryable,
  definition: CollectionDefinition,
  source: EntryRow,
  group: string,
): Promise<ReferenceSelection[]> {
  const staged = stagedOf(source);
  const selections: ReferenceSelection[] = [];
  for (const reference of definition.references) {
    const groups = staged[reference.field] ?? (await selectLiveGroups(sql, reference, source._group));
    selections.push(await dropFullTargets(sql, group, { reference, groups }));
  }
  return selections;
}

function withCopyTitle(values: EntryValues): EntryValues {
  const titleField = ['title', 'name'].find((slug) => typeof values[slug] === 'string');
  return titleField === undefined
    ? values
    : { ...values, [titleField]: `${String(values[titleField])} (Copy)` };
}
