import type { Migration } from '@quire/database';

/** A comment as the counts depend on it. */
const columns = 'id, content_id, parent_id, status';
const rowsOf = (table: string, sign: number) => `SELECT ${columns}, ${sign} AS sign FROM ${table}`;
const newRows = rowsOf('new_rows', 1);
const oldRows = rowsOf('old_rows', -1);

/** The transition tables of the statements that change comments, and their rows: former ones have the sign -1. */
const statements = {
  INSERT: { tables: 'NEW TABLE AS new_rows', rows: newRows },
  UPDATE: { tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows', rows: `${oldRows} UNION ALL ${newRows}` },
  DELETE: { tables: 'OLD TABLE AS old_rows', rows: oldRows },
};

/** The rows of a statement without those that it leaves as they are for the counts. */
const changed = (rows: string) => `changed AS (
  SELECT ${columns}, sum(sign) AS sign FROM (${rows}) r GROUP BY ${columns} HAVING sum(sign) <> 0
)`;

/**
 * Locks the counts of the entries first: the statements after that see what former holders of the locks committed.
 * Replies depend on their roots, which a concurrent transaction may change.
 */
const lockCounts = (rows: string) => `
  WITH ${changed(rows)}
  INSERT INTO comment_counts (content_id, visible)
  SELECT DISTINCT content_id, 0 FROM changed WHERE status = 'approved' ORDER BY 1
  ON CONFLICT (content_id) DO UPDATE SET visible = 0 WHERE false;`;

/** Adds the changed roots, the changed replies of approved roots, and the other replies of roots that changed. */
const addVisible = (rows: string) => `
  WITH ${changed(rows)}, approved AS (
    SELECT id, content_id, parent_id, sign FROM changed WHERE status = 'approved'
  ), roots AS (
    SELECT id, content_id, sign FROM approved WHERE parent_id IS NULL
  ), differences AS (
    SELECT content_id, sign FROM roots
    UNION ALL
    SELECT c.content_id, c.sign FROM approved c
    LEFT JOIN (
      SELECT id, max(content_id) FILTER (WHERE sign < 0) AS former_content_id FROM roots GROUP BY id
    ) r ON r.id = c.parent_id
    LEFT JOIN comments present ON present.id = c.parent_id
    WHERE c.parent_id IS NOT NULL AND CASE
      WHEN c.sign < 0 AND r.id IS NOT NULL THEN r.former_content_id = c.content_id
      ELSE present.status = 'approved' AND present.content_id = c.content_id
    END
    UNION ALL
    SELECT r.content_id, r.sign FROM roots r
    JOIN comments c ON c.parent_id = r.id AND c.content_id = r.content_id AND c.status = 'approved'
    WHERE NOT EXISTS (SELECT FROM approved a WHERE a.id = c.id AND a.sign > 0)
  )
  UPDATE comment_counts t SET visible = t.visible + d.difference
  FROM (SELECT content_id, sum(sign)::bigint AS difference FROM differences GROUP BY content_id) d
  WHERE t.content_id = d.content_id AND d.difference <> 0;`;

const deleteEmptyCounts = `
  DELETE FROM comment_counts WHERE visible = 0 AND content_id IN (SELECT content_id FROM old_rows);`;

const statuses = ['pending', 'approved', 'spam', 'trash'];
const sumOf = (status: string) => `coalesce(sum(sign) FILTER (WHERE status = '${status}'), 0) AS ${status}`;

/** The last lock of a statement: statements that wait for each other form no circle. */
const addStatuses = (rows: string) => `
  WITH ${changed(rows)}, sums AS (SELECT ${statuses.map(sumOf).join(', ')} FROM changed)
  INSERT INTO comment_status_counts AS t (share, ${statuses.join(', ')})
  SELECT pg_backend_pid() % 16, ${statuses.join(', ')} FROM sums
  WHERE ${statuses.map((status) => `${status} <> 0`).join(' OR ')}
  ON CONFLICT (share) DO UPDATE SET
    ${statuses.map((status) => `${status} = t.${status} + EXCLUDED.${status}`).join(', ')};`;

/**
 * Indexes for the lists of comments, and counts in place of counting: triggers maintain them with each statement that
 * changes comments, also with those of a former version.
 */
export const commentCountsMigration: Migration = {
  name: '0065-comment-counts',
  up: async (sql) => {
    await sql.query('LOCK TABLE comments IN SHARE ROW EXCLUSIVE MODE');
    await sql.query(`
      CREATE TABLE comment_counts (
        content_id text CONSTRAINT comment_counts_pkey PRIMARY KEY,
        visible bigint NOT NULL
      )`);
    await sql.query(`
      CREATE TABLE comment_status_counts (
        share integer CONSTRAINT comment_status_counts_pkey PRIMARY KEY,
        ${statuses.map((status) => `${status} bigint NOT NULL`).join(', ')}
      )`);
    await sql.query(`
      INSERT INTO comment_counts (content_id, visible)
      SELECT c.content_id, count(*) FROM comments c
      LEFT JOIN comments r ON r.id = c.parent_id AND r.content_id = c.content_id
      WHERE c.status = 'approved' AND (c.parent_id IS NULL OR r.status = 'approved') GROUP BY c.content_id`);
    for (const [statement, { tables, rows }] of Object.entries(statements)) {
      const name = `count_comments_on_${statement.toLowerCase()}`;
      await sql.query(`
        CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
          ${lockCounts(rows)}
          ${addVisible(rows)}
          ${statement === 'DELETE' ? deleteEmptyCounts : ''}
          ${addStatuses(rows)}
          RETURN NULL;
        END
        $$`);
      await sql.query(`
        CREATE TRIGGER ${name} AFTER ${statement} ON comments REFERENCING ${tables}
        FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
    }
    await sql.query(`
      CREATE FUNCTION count_comments_on_truncate() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        TRUNCATE comment_counts, comment_status_counts;
        RETURN NULL;
      END
      $$`);
    await sql.query(`
      CREATE TRIGGER count_comments_on_truncate AFTER TRUNCATE ON comments
      FOR EACH STATEMENT EXECUTE FUNCTION count_comments_on_truncate()`);
    await createIndexes(sql);
  },
  seed: (sql) =>
    sql.query(`
      INSERT INTO comment_status_counts (share, ${statuses.join(', ')})
      SELECT 0, ${statuses.map(sumOf).join(', ')} FROM (SELECT status, 1 AS sign FROM comments) c`),
};

const createIndexes: Migration['up'] = async (sql) => {
  await sql.query(
    `CREATE INDEX comments_approved ON comments (content_id, created_at, id) WHERE status = 'approved'`,
  );
  await sql.query(`CREATE INDEX comments_approved_roots ON comments (content_id, created_at, id)
    WHERE status = 'approved' AND parent_id IS NULL`);
  await sql.query(
    `CREATE INDEX comments_approved_replies ON comments (parent_id, created_at, id) WHERE status = 'approved'`,
  );
  await sql.query('CREATE INDEX comments_collection ON comments (collection, status, created_at, id)');
  // No statement looks for addresses since guests are known by their cookie.
  await sql.query('DROP INDEX comments_author_email');
};
