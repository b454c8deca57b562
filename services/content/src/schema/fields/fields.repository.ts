import { maxIndexedBytes, type DataCheck, type FieldDefinition } from '@quire/content-model';
import {
  assignmentsOf,
  columnsOf,
  identifier,
  insertRow,
  Parameters,
  type Queryable,
  type Row,
  type RowInput,
  type Statement,
} from '@quire/database';
import { ulid } from '@quire/values';
import { Field } from './field.entity.js';

export type StoredField = Row<Field>;

const columns = columnsOf(Field);

/** @returns the fields of a collection in display order. */
export function selectFields(sql: Queryable, collectionId: string): Promise<StoredField[]> {
  return sql.query<StoredField>(
    `SELECT ${columns} FROM fields WHERE collection_id = $1 ORDER BY sort_order, slug`,
    [collectionId],
  );
}

/** @returns the fields of all collections in display order. */
export function selectAllFields(sql: Queryable): Promise<StoredField[]> {
  return sql.query<StoredField>(`SELECT ${columns} FROM fields ORDER BY sort_order, slug`);
}

/** @returns the MIME types that a field accepts, null for any; undefined when there is no such field. */
export async function selectFileTypes(
  sql: Queryable,
  id: string,
): Promise<{ allowedMimeTypes: string[] | null } | undefined> {
  const [field] = await sql.query<{ allowedMimeTypes: string[] | null }>(
    `SELECT validation -> 'allowedMimeTypes' AS "allowedMimeTypes" FROM fields WHERE id = $1`,
    [id],
  );
  return field;
}

export function insertField(
  tx: Queryable,
  collectionId: string,
  definition: FieldDefinition,
): Promise<StoredField> {
  return insertRow(tx, Field, { ...fieldValues(definition), id: ulid(), collectionId });
}

/** Replaces the definition of a field. */
export async function updateFieldRow(
  tx: Queryable,
  id: string,
  definition: FieldDefinition,
): Promise<StoredField> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(Field, fieldValues(definition), params), 'updated_at = now()'];
  const [field] = await tx.query<StoredField>(
    `UPDATE fields SET ${assignments.join(', ')} WHERE id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  if (!field) throw new Error(`The field ${id} does not exist`);
  return field;
}

/** Numbers the fields of a collection in the order of `slugs`, which lists all of them. */
export async function updateFieldOrder(
  tx: Queryable,
  collectionId: string,
  slugs: readonly string[],
): Promise<void> {
  await tx.query(
    'UPDATE fields SET sort_order = array_position($1::text[], slug) - 1 WHERE collection_id = $2',
    [slugs, collectionId],
  );
}

export async function deleteFieldRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('DELETE FROM fields WHERE id = $1', [id]);
}

function fieldValues({ sortOrder, ...definition }: FieldDefinition): RowInput<Field> {
  return { ...definition, sortOrder: sortOrder ?? 0 };
}

type RowCheck = Exclude<DataCheck, 'unique'>;

/**
 * Statements that find an entry which breaks a rule. The column of an unpublished entry with a draft does not count.
 * Translations may differ in drafts: publishing one gives its value to all (decision 4). Only columns are indexed,
 * those of trashed entries included; publishing rejects a draft whose value is too long for the index.
 */
const violationQueries: Record<RowCheck, (table: string, slug: string) => Statement> = {
  required: (table, slug) => {
    const column = `e.${identifier(slug)}`;
    return {
      text: `
        SELECT 1 FROM ${identifier(table)} e LEFT JOIN revisions r ON r.id = e.draft_revision_id
        WHERE ((e.status = 'published' OR r.id IS NULL) AND (${column} IS NULL OR ${column}::text IN ('', '""')))
          OR (r.id IS NOT NULL AND coalesce(r.data ->> $1, '') = '')
        LIMIT 1`,
      values: [slug],
    };
  },
  translatable: (table, slug) => ({
    text: `
      SELECT 1 FROM ${identifier(table)} e GROUP BY e._translation_group
      HAVING count(DISTINCT e.${identifier(slug)}::text) > 1 OR count(e.${identifier(slug)}) NOT IN (0, count(*))
      LIMIT 1`,
  }),
  indexed: (table, slug) => ({
    text: `SELECT 1 FROM ${identifier(table)} WHERE octet_length(${identifier(slug)}) > $1 LIMIT 1`,
    values: [maxIndexedBytes],
  }),
};

/** Whether an entry breaks a rule of a field; see `violationQueries`. */
export async function hasViolation(
  tx: Queryable,
  check: RowCheck,
  table: string,
  fieldSlug: string,
): Promise<boolean> {
  const violations = await tx.query(violationQueries[check](table, fieldSlug));
  return violations.length > 0;
}
