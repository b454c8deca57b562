import type { Queryable } from '@quire/database';
import { invalidInput, type Issue } from '@quire/errors';
import { contentTableName } from '../../schema/index.js';
import { collectionBusyError } from '../entry-errors.js';
import { lockReferenceTargets } from '../repository/lock-entry.js';
import type { ReferenceSelection } from './reference-selection.js';
import {
  lockLinkLimits,
  replaceLinks,
  selectFullGroups,
  selectLinkLimits,
  type LinkLimits,
} from './references.repository.js';

/**
 * Makes selections live. Relations are locked until the commit, always in the same order: see `lockLinkLimits`. All
 * selected entries are locked before the first link changes, because a deletion locks an entry before its links. Groups
 * without entries are left out.
 * @throws QuireError VALIDATION_ERROR when a limit of a relation would be exceeded, or none of the entries of a
 *   required selection exists.
 */
export async function applyReferences(
  tx: Queryable,
  group: string,
  selections: readonly ReferenceSelection[],
): Promise<void> {
  const ordered = [...selections].sort((left, right) =>
    left.reference.relationId < right.reference.relationId ? -1 : 1,
  );
  const limited: (ReferenceSelection & { limits: LinkLimits })[] = [];
  for (const selection of ordered)
    limited.push({ ...selection, limits: await getLimits(tx, selection, lockLinkLimits) });
  const locked: typeof limited = [];
  const emptied: Issue[] = [];
  for (const { reference, groups, limits } of limited) {
    const table = contentTableName(reference.target);
    const left = await lockReferenceTargets(tx, table, groups);
    // A selected entry may have been deleted while the selection was staged, or since it was looked up.
    if (reference.isRequired && groups.length > 0 && left.length === 0) {
      const message = 'is required, and none of the selected entries exists any more';
      emptied.push({ path: `references.${reference.field}`, message });
    }
    locked.push({ reference, limits, groups: left });
  }
  if (emptied.length > 0) throw invalidInput(emptied);
  for (const { limits, ...selection } of locked) {
    await assertWithinLimits(tx, group, selection, limits);
    await replaceLinks(tx, group, selection);
  }
}

/** Checks staged selections against the present limits. @throws QuireError VALIDATION_ERROR. */
export async function assertSelectionsWithinLimits(
  sql: Queryable,
  group: string,
  selections: readonly ReferenceSelection[],
): Promise<void> {
  for (const selection of selections)
    await assertWithinLimits(sql, group, selection, await getLimits(sql, selection));
}

/** @returns a selection that is copied to another entry, without targets at their limit. */
export async function dropFullTargets(
  sql: Queryable,
  group: string,
  selection: ReferenceSelection,
): Promise<ReferenceSelection> {
  const { other } = await getLimits(sql, selection);
  const full = new Set(await selectFullGroups(sql, group, selection, other));
  return { ...selection, groups: selection.groups.filter((candidate) => !full.has(candidate)) };
}

/** @throws QuireError SERVICE_UNAVAILABLE when the relation was deleted since the definition was read. */
async function getLimits(
  sql: Queryable,
  { reference }: ReferenceSelection,
  read: typeof selectLinkLimits = selectLinkLimits,
): Promise<LinkLimits> {
  const limits = await read(sql, reference);
  if (!limits) throw collectionBusyError();
  return limits;
}

async function assertWithinLimits(
  sql: Queryable,
  group: string,
  selection: ReferenceSelection,
  limits: LinkLimits,
): Promise<void> {
  const { reference, groups } = selection;
  const path = `references.${reference.field}`;
  const issues: Issue[] = [];
  if (limits.own !== null && groups.length > limits.own)
    issues.push({ path, message: `takes at most ${limits.own}` });
  for (const full of await selectFullGroups(sql, group, selection, limits.other)) {
    const message = `is selected by as many entries as the relation allows (${limits.other})`;
    issues.push({ path: `${path}.${groups.indexOf(full)}`, message });
  }
  if (issues.length > 0) throw invalidInput(issues);
}
