import type { Queryable, Statement } from '@quire/database';
import { invalidInput } from '@quire/errors';

/** A credit as clients send it: a byline's id, or the id of its translation group (contract 6, ContentBylineInput). */
export interface CreditInput {
  bylineId: string;
  roleLabel?: string | null | undefined;
}

/** A credit as it is stored: by translation group, so that every translation shows the byline in its own locale. */
export interface Credit {
  group: string;
  roleLabel: string | null;
}

/**
 * The credits that a list of inputs means, in order; two ids of one group count once.
 * @throws QuireError VALIDATION_ERROR naming each id that is no byline.
 */
export async function resolveCredits(sql: Queryable, inputs: readonly CreditInput[]): Promise<Credit[]> {
  if (inputs.length === 0) return [];
  const ids = inputs.map(({ bylineId }) => bylineId);
  const known = await sql.query<{ id: string; group: string }>(
    'SELECT id, translation_group AS "group" FROM bylines WHERE id = ANY($1) OR translation_group = ANY($1)',
    [ids],
  );
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

/** Statements that replace the credits of an entry. */
export function bylineStatements(
  collection: string,
  entryId: string,
  credits: readonly Credit[],
): Statement[] {
  return [
    { text: 'DELETE FROM entry_bylines WHERE entry_id = $1', values: [entryId] },
    {
      text: `
        INSERT INTO entry_bylines (entry_id, collection, byline_group, role_label, sort_order)
        SELECT $1, $2, credit.byline_group, credit.role_label, credit.position - 1
        FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS credit (byline_group, role_label, position)`,
      values: [
        entryId,
        collection,
        credits.map(({ group }) => group),
        credits.map(({ roleLabel }) => roleLabel),
      ],
    },
  ];
}

/** The stored credits of an entry, in order. */
export async function selectCredits(sql: Queryable, entryId: string): Promise<Credit[]> {
  return sql.query<Credit>(
    'SELECT byline_group AS "group", role_label AS "roleLabel" FROM entry_bylines WHERE entry_id = $1 ORDER BY sort_order',
    [entryId],
  );
}
