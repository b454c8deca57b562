import type { Sql } from '@quire/database';
import { notFound } from '@quire/errors';
import type { BylineFieldAnswer, BylineFieldUsage } from './byline-fields.schemas.js';

const columns = `id, slug, label, type, required, translatable, validation, sort_order AS "sortOrder",
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const order = 'ORDER BY sort_order, slug';

/** The fields in display order. */
export function allFields(sql: Sql): Promise<BylineFieldAnswer[]> {
  return sql.query<BylineFieldAnswer>(`SELECT ${columns} FROM byline_fields ${order}`);
}

/** @throws QuireError NOT_FOUND */
export async function loadField(sql: Sql, slug: string): Promise<BylineFieldAnswer> {
  const [field] = await sql.query<BylineFieldAnswer>(`SELECT ${columns} FROM byline_fields WHERE slug = $1`, [
    slug,
  ]);
  if (!field) throw notFound('byline field');
  return field;
}

/**
 * The fields, held until the transaction ends: by writers of bylines together (FOR SHARE), by who changes the fields alone.
 * They are taken before any byline, and always in the same order.
 */
export async function holdFields(tx: Sql, mode: 'FOR SHARE' | 'FOR UPDATE'): Promise<BylineFieldAnswer[]> {
  await tx.query(`SELECT 1 FROM byline_fields ORDER BY id ${mode}`);
  return allFields(tx);
}

/** One field, held alone until the transaction ends. @throws QuireError NOT_FOUND */
export async function holdField(tx: Sql, slug: string): Promise<BylineFieldAnswer> {
  await tx.query('SELECT 1 FROM byline_fields WHERE slug = $1 FOR UPDATE', [slug]);
  return loadField(tx, slug);
}

/** How many bylines, and how many groups of their translations, have a value of a field. */
export async function countValues(sql: Sql, slug: string): Promise<BylineFieldUsage> {
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

/** Removes a field that is held, and its values. Groups come before their bylines, as for everybody who writes both. */
export async function removeField(tx: Sql, slug: string): Promise<void> {
  await tx.query('UPDATE byline_groups SET custom_fields = custom_fields - $1 WHERE custom_fields ? $1', [
    slug,
  ]);
  await tx.query('UPDATE bylines SET custom_fields = custom_fields - $1 WHERE custom_fields ? $1', [slug]);
  await tx.query('DELETE FROM byline_fields WHERE slug = $1', [slug]);
}
