import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { selectBylineGroups, type Credit } from './credits.repository.js';

/** A credit in requests: a byline's id, or the id of its translation group (contract 6, ContentBylineInput). */
export interface CreditInput {
  bylineId: string;
  roleLabel?: string | null | undefined;
}

/**
 * @returns the credits to store, in order; a group that is named twice counts once.
 * @throws QuireError VALIDATION_ERROR naming each id that is no byline.
 */
export async function resolveCredits(sql: Queryable, inputs: readonly CreditInput[]): Promise<Credit[]> {
  if (inputs.length === 0) return [];
  const ids = inputs.map(({ bylineId }) => bylineId);
  const known = await selectBylineGroups(sql, ids);
  const groups = new Map(known.flatMap(({ id, group }) => [[id, group] as const, [group, group] as const]));
  const unknown = inputs.flatMap(({ bylineId }, index) =>
    groups.has(bylineId)
      ? []
      : [{ path: `bylines.${index}.bylineId`, message: `'${bylineId}' is not a byline` }],
  );
  if (unknown.length > 0) throw invalidInput(unknown);
  const credits = new Map<string, Credit>();
  for (const { bylineId, roleLabel } of inputs) {
    const group = groups.get(bylineId) ?? bylineId;
    if (!credits.has(group)) credits.set(group, { group, roleLabel: roleLabel ?? null });
  }
  return [...credits.values()];
}
