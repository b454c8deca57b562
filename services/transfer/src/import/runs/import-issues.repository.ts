import { columnsOf, type Queryable, type Row } from '@quire/database';
import { ImportIssue } from './import-issue.entity.js';

/** Stored issues of each severity; more are only counted (contract 6). */
export const maxStoredIssues = 1000;

/** A warning or a failure. */
export type NewIssue = Omit<Row<ImportIssue>, 'importId' | 'number'>;

type Subject = Partial<Omit<NewIssue, 'severity' | 'code' | 'message'>>;

const noSubject = {
  title: null,
  sourceType: null,
  sourceId: null,
  collection: null,
  entryId: null,
  savedAsDraft: false,
};

/** A warning about an item, or about what it became. */
export function warningAbout(
  subject: Subject,
  { code, message }: { code: string; message: string },
): NewIssue {
  return { ...noSubject, ...subject, severity: 'warning', code, message };
}

/** The failure of an item. */
export function failureOf(subject: Subject, { code, message }: { code: string; message: string }): NewIssue {
  return { ...noSubject, ...subject, severity: 'error', code, message };
}

const columns = columnsOf(ImportIssue);

/**
 * Stores issues, up to the maximum of each severity.
 * @param stored numbers of issues so far, by severity
 */
export async function insertIssues(
  sql: Queryable,
  importId: string,
  issues: readonly NewIssue[],
  stored: { warnings: number; errors: number },
): Promise<void> {
  const rows: (NewIssue & { number: number })[] = [];
  const count = { warning: stored.warnings, error: stored.errors };
  for (const issue of issues) {
    const number = count[issue.severity];
    count[issue.severity] += 1;
    if (number < maxStoredIssues) rows.push({ ...issue, number });
  }
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO import_issues (import_id, number, severity, code, message, title, source_type, source_id, collection,
       entry_id, saved_as_draft)
     SELECT $1, i.number, i.severity, i.code, i.message, i.title, i."sourceType", i."sourceId", i.collection, i."entryId",
       i."savedAsDraft"
     FROM json_to_recordset($2::json) AS i (number integer, severity text, code text, message text, title text,
       "sourceType" text, "sourceId" text, collection text, "entryId" text, "savedAsDraft" boolean)
     ON CONFLICT DO NOTHING`,
    [importId, JSON.stringify(rows)],
  );
}

/** The stored issues of a severity in their order. */
export function selectIssues(
  sql: Queryable,
  importId: string,
  severity: ImportIssue['severity'],
  { offset = 0 }: { offset?: number } = {},
): Promise<Row<ImportIssue>[]> {
  return sql.query<Row<ImportIssue>>(
    `SELECT ${columns} FROM import_issues WHERE import_id = $1 AND severity = $2
     ORDER BY number OFFSET $3 LIMIT $4`,
    [importId, severity, offset, maxStoredIssues],
  );
}
