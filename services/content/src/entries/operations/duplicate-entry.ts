import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { invalidInput } from '@quire/errors';
import type { SaveAnswer } from '@quire/idempotency';
import { requireOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import { storedCredits } from '../../credits/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { copyAssignments } from '../../term-assignments/index.js';
import { loadEntry, type EntryTarget } from '../change-entry.js';
import type { EntryAnswer } from '../entry-answer.js';
import { editedValues, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { insertPlanned, slugFromTitle, type EntryPlan } from '../insert-planned.js';
import { withinLimits } from '../selections/apply-selections.js';
import { missingTargets } from '../selections/plain-references.js';
import { liveGroups, stagedOf, type Selection } from '../selections/selection.js';

/**
 * Makes a new draft from what the caller sees of an entry in an edit view: draft over live, selections, credits, terms and
 * SEO data
 * (decision 22). Stored values that are no longer valid are refused, as in any other write.
 * @param save keeps the answer with it
 * @throws QuireError NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, CONFLICT (a unique value).
 */
export async function duplicateEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  save?: SaveAnswer,
): Promise<EntryAnswer> {
  const plan = async (definition: CollectionDefinition) => {
    const source = await loadEntry(ctx.db, services, definition, target, { rows: 'not-trashed' });
    requireOnRow(ctx.principal, 'content:edit', source.authorId);
    return planCopy(ctx, definition, source);
  };
  return insertPlanned(ctx, services, target.collection, plan, save);
}

async function planCopy(
  ctx: Context,
  definition: CollectionDefinition,
  source: EntryRow,
): Promise<EntryPlan> {
  // Held against the fields as at publishing: a default would bring back what was cleared.
  const copied = asCopy(editedValues(definition, source));
  const { values, issues, references } = validateValues(definition.compiled, copied, 'publish');
  issues.push(...(await missingTargets(ctx.db, references)));
  if (issues.length > 0) throw invalidInput(issues);
  const credits = await storedCredits(ctx.db, source.id);
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
  return { entry, isSlugGenerated: true, credits, selections, alsoRun: [copyAssignments(source._group, id)] };
}

/** What the source selects in an edit view, as far as the relations leave room for one more that does. */
async function copiedSelections(
  sql: Sql,
  definition: CollectionDefinition,
  source: EntryRow,
  group: string,
): Promise<Selection[]> {
  const staged = stagedOf(source);
  const selections: Selection[] = [];
  for (const reference of definition.references) {
    const groups = staged[reference.field] ?? (await liveGroups(sql, reference, source._group));
    selections.push(await withinLimits(sql, group, { reference, groups }));
  }
  return selections;
}

function asCopy(values: EntryValues): EntryValues {
  const named = ['title', 'name'].find((slug) => typeof values[slug] === 'string');
  return named === undefined ? values : { ...values, [named]: `${String(values[named])} (Copy)` };
}
