import {
  assignmentsOf,
  columnsOf,
  Parameters,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { notFound } from '@quire/errors';
import { BylineField } from './byline-field.entity.js';
import type { BylineFieldUsage } from './byline-fields.schemas.js';

export type StoredBylineField = Row<BylineField>;

const columns = columnsOf(BylineField);

/** @returns the fields in display order. */
export function selectBylineFields(sql: Queryable): Promise<StoredBylineField[]> {
  return sql.query<StoredBylineField>(`SELECT ${columns} FROM byline_fields ORDER BY sort_order, slug`);
}

/** @throws QuireError NOT_FOUND */
export async function selectBylineField(sql: Queryable, slug: string): Promise<StoredBylineField> {
  const [field] = await sql.query<StoredBylineField>(`SELECT ${columns} FROM byline_fields WHERE slug = $1`, [
    slug,
  ]);
  if (!field) throw notFound('byline field');
  return field;
}

/**
 * Locks all fields until the transaction ends, always in the order of their ids. Field rows are locked before byline
 * rows.
 * @param mode FOR SHARE for writers of bylines, FOR UPDATE for changes of the fields
 * @returns the fields in display order.
 */
export async function lockBylineFields(
  tx: Queryable,
  mode: 'FOR SHARE' | 'FOR UPDATE',
): Promise<StoredBylineField[]> {
  await tx.query(`SELECT 1 FROM byline_fields ORDER BY id ${mode}`);
  return selectBylineFields(tx);
}

/** Locks one field exclusively until the transaction ends. @throws QuireError NOT_FOUND */
export async function lockBylineField(tx: Queryable, slug: string): Promise<StoredBylineField> {
  await tx.query('SELECT 1 FROM byline_fields WHERE slug = $1 FOR UPDATE', [slug]);
  return selectBylineField(tx, slug);
}

/** Updates the given columns of a field that exists. @returns the row. */
export async function updateBylineFieldRow(
  tx: Queryable,
  id: string,
  update: RowInput<BylineField>,
): Promise<StoredBylineField> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(BylineField, update, params), 'updated_at = now()'];
  const [field] = await tx.query<StoredBylineField>(
    `UPDATE byline_fields SET ${assignments.join(', ')} WHERE id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  if (!field) throw notFound('byline field');
  return field;
}

/** Numbers the fields in the order of `slugs`, which lists all of them. */
export async function updateBylineFieldOrder(tx: Queryable, slugs: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE byline_fields SET sort_order = array_position($1::text[], slug) - 1, updated_at = now()
     WHERE sort_order <> array_position($1::text[], slug) - 1`,
    [slugs],
  );
}

/** @returns how many bylines and how many byline groups have a value of a field. */
export async function countBylineFieldValues(sql: Queryable, slug: string): Promise<BylineFieldUsage> {
  const [usage] = await sql.query<Omit<BylineFieldUsage, 'totalAffectedRows'>>(
    `SELECT (SELECT count(*) FROM bylines WHERE custom_fields ? $1) AS "translatableValueCount",
       (SELECT count(*) FROM byline_groups WHERE custom_fields ? $1) AS "groupValueCount"`,
    [slug],
  );
  const { translatableValueCount = 0, groupValueCount = 0 } = usage ?? {};
  return {
    translatableValueCount,
    groupValueCount,
    totalAffectedRows: translatableValueCount + groupValueCount,
  };
}

/** Deletes a locked field and its values. Groups are written before bylines, as in every other transaction. */
export async function deleteBylineFieldWithValues(tx: Queryable, slug: string): Promise<void> {
  await tx.query('UPDATE byline_groups SET custom_fields = custom_fields - $1 WHERE custom_fields ? $1', [
    slug,
  ]);
  await tx.query('UPDATE bylines SET custom_fields = custom_fields - $1 WHERE custom_fields ? $1', [slug]);
  await tx.query('DELETE FROM byline_fields WHERE slug = $1', [slug]);
}
