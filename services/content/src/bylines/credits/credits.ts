import { columnsOf, type Queryable, type Row, type Statement } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { EntryByline } from './entry-byline.entity.js';

/** A credit in requests: a byline's id, or the id of its translation group (contract 6, ContentBylineInput). */
export interface CreditInput {
  bylineId: string;
  roleLabel?: string | null | undefined;
}

/** A stored credit, by translation group. */
export type Credit = Pick<Row<EntryByline>, 'group' | 'roleLabel'>;

const columns = columnsOf(EntryByline, { only: ['group', 'roleLabel'] });

/**
 * @returns the credits to store, in order; a group that is named twice counts once.
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

/** @returns the statements that replace the credits of an entry. */
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

/** @returns the stored credits of an entry, in order. */
export function selectCredits(sql: Queryable, entryId: string): Promise<Credit[]> {
  return sql.query<Credit>(`SELECT ${columns} FROM entry_bylines WHERE entry_id = $1 ORDER BY sort_order`, [
    entryId,
  ]);
}
