import type { Queryable } from '@quire/database';
import { notFound } from '@quire/errors';
import type { BylineFieldResponse, BylineFieldUsage } from './byline-fields.schemas.js';

const columns = `id, slug, label, type, required, translatable, validation, sort_order AS "sortOrder",
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const order = 'ORDER BY sort_order, slug';

/** The fields in display order. */
export function selectBylineFields(sql: Queryable): Promise<BylineFieldResponse[]> {
  return sql.query<BylineFieldResponse>(`SELECT ${columns} FROM byline_fields ${order}`);
}

/** @throws QuireError NOT_FOUND */
export async function selectBylineField(sql: Queryable, slug: string): Promise<BylineFieldResponse> {
  const [field] = await sql.query<BylineFieldResponse>(
    `SELECT ${columns} FROM byline_fields WHERE slug = $1`,
    [slug],
  );
  if (!field) throw notFound('byline field');
  return field;
}

/**
 * The fields, locked until the transaction ends: by writers of bylines together (FOR SHARE), by who changes the fields
 * alone. They are taken before any byline, and always in the same order.
 */
export async function lockBylineFields(
  tx: Queryable,
  mode: 'FOR SHARE' | 'FOR UPDATE',
): Promise<BylineFieldResponse[]> {
  await tx.query(`SELECT 1 FROM byline_fields ORDER BY id ${mode}`);
  return selectBylineFields(tx);
}

/** One field, locked alone until the transaction ends. @throws QuireError NOT_FOUND */
export async function lockBylineField(tx: Queryable, slug: string): Promise<BylineFieldResponse> {
  await tx.query('SELECT 1 FROM byline_fields WHERE slug = $1 FOR UPDATE', [slug]);
  return selectBylineField(tx, slug);
}

/** How many bylines, and how many groups of their translations, have a value of a field. */
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

/**
 * Removes a field that is locked, and its values. Groups come before their bylines, as for everybody who writes both.
 */
export async function deleteBylineFieldWithValues(tx: Queryable, slug: string): Promise<void> {
  await tx.query('UPDATE byline_groups SET custom_fields = custom_fields - $1 WHERE custom_fields ? $1', [
    slug,
  ]);
  await tx.query('UPDATE bylines SET custom_fields = custom_fields - $1 WHERE custom_fields ? $1', [slug]);
  await tx.query('DELETE FROM byline_fields WHERE slug = $1', [slug]);
}
