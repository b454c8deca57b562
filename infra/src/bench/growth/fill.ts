import type pg from 'pg';
import { withClient } from '../database.js';
import { api, createEntries, publishEntries } from '../site.js';
import type { Site } from '../systems.js';
import { randomOf, textOf } from '../words.js';
import { locales, type GrowthCase } from './cases.js';

const fields = [
  { slug: 'title', type: 'string', searchable: true },
  { slug: 'body', type: 'text', searchable: true },
  { slug: 'rank', type: 'integer', indexed: true },
  { slug: 'active', type: 'boolean', indexed: true },
];
export const taxonomy = 'topics';
const termCount = 10;
const wordsOfEach = 120;
const textCount = 1_000;
const random = randomOf(17);
const texts = Array.from({ length: textCount }, () => textOf(random, wordsOfEach));
const sampledIds = 100;

/** A filled collection. */
export interface GrownCollection {
  slug: string;
  publishedCount: number;
  /** Of some published entries in the locale of the lists. */
  publishedIds: string[];
}

/** Creates the collections with their fields, and the terms of their entries. */
export async function createCollections(site: Site, slugs: readonly string[]): Promise<void> {
  const supports = ['drafts', 'revisions', 'search'];
  for (const slug of slugs) {
    await api(site, 'POST', '/schema/collections', { slug, label: slug, supports });
    for (const field of fields)
      await api(site, 'POST', `/schema/collections/${slug}/fields`, { label: field.slug, ...field });
  }
  await api(site, 'POST', '/taxonomies', { name: taxonomy, label: taxonomy, collections: slugs });
  for (let index = 0; index < termCount; index += 1)
    await api(site, 'POST', `/taxonomies/${taxonomy}/terms`, { label: `Topic ${index}` });
}

/** SQL of an id in the form of a ULID, by its number. */
const idOf = (number: string) => `lpad((${number})::text, 26, '0')`;

/** The numbers of the rows, and what follows from them. Hashes scatter values over the rows. */
const numbersOf = ({ entries, localeCount, publishedPercent }: GrowthCase & { entries: number }) => `
  CREATE TEMPORARY TABLE numbers AS
  SELECT n AS number, n % ${localeCount} AS place, ${idOf('n + 1')} AS id,
    ${idOf(`n - n % ${localeCount} + 1`)} AS entry_group,
    n / ${localeCount} % ${100 / publishedPercent} = 0 AS is_published,
    abs(hashint4(n)::bigint) AS hash,
    now() - (${entries} - n) * interval '1 minute' AS time
  FROM generate_series(0, ${entries - 1}) AS n`;

const localeCodes = `(ARRAY[${locales.map((code) => `'${code}'`).join()}])[place + 1]`;
/** SQL of the changed columns of an entry; its other columns are those of the copied one. */
const entryColumns: Record<string, string> = {
  id: 'numbers.id',
  slug: "'entry-' || number",
  _locale: localeCodes,
  _translation_group: 'entry_group',
  created_at: 'time',
  updated_at: 'time',
  _edited_at: 'time',
  published_at: 'CASE WHEN is_published THEN time END',
  live_revision_id: 'CASE WHEN is_published THEN numbers.id END',
  title: "'Entry ' || number",
  body: 'text',
  rank: 'hash % 1000',
  active: 'hash / 1000 % 2',
};
const revisionColumns: Record<string, string> = {
  id: 'numbers.id',
  entry_id: 'numbers.id',
  created_at: 'time',
};

/** Copies a row for each joined number, with other values in some columns. */
async function copyRows(
  client: pg.Client,
  table: string,
  changed: Record<string, string>,
  joins: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const selected = names.map((name) => changed[name] ?? `copied.${name}`);
  await client.query(
    `INSERT INTO ${table} (${names.join()}) SELECT ${selected.join()} FROM numbers ${joins}`,
  );
}

/** Creates a draft and a published entry, which the rows are copied from. @returns their ids */
async function createTemplates(site: Site, slug: string): Promise<[draft: string, published: string]> {
  const data = () => ({ title: 'Template', body: texts[0], rank: 1, active: true });
  const [draft, published] = await createEntries(site, slug, 2, { data });
  if (!draft || !published) throw new Error('The copied entries are not created');
  await publishEntries(site, slug, [published]);
  return [draft.id, published.id];
}

/**
 * Fills the tables of a collection in bulk: entries, revisions of published ones, and a term of each entry. Rows are
 * copies of entries that the API created.
 */
export async function fillCollection(
  site: Site,
  slug: string,
  growth: GrowthCase & { entries: number },
): Promise<GrownCollection> {
  const [draft, published] = await createTemplates(site, slug);
  return withClient(site.databaseUrl, async (client) => {
    const table = `content_${slug}`;
    await client.query(`SET search_path = "${site.schema}"`);
    // without the triggers, which send a message for each changed row
    await client.query('SET session_replication_role = replica');
    await client.query(numbersOf(growth));
    await client.query(
      `CREATE TEMPORARY TABLE texts AS
       SELECT text, place AS text_number FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place)`,
      [texts],
    );
    await client.query('ANALYZE numbers, texts');
    await copyRows(
      client,
      table,
      entryColumns,
      `JOIN texts ON text_number = number % ${textCount} + 1
       JOIN ${table} copied ON copied.id = CASE WHEN is_published THEN '${published}' ELSE '${draft}' END`,
    );
    await copyRows(
      client,
      'revisions',
      revisionColumns,
      `JOIN revisions copied ON copied.entry_id = '${published}' WHERE is_published`,
    );
    await client.query(
      `INSERT INTO entry_terms (entry_group, term_group, collection)
       SELECT entry_group, term_groups[hash % ${termCount} + 1], $1
       FROM numbers, (SELECT array_agg(group_id ORDER BY slug) AS term_groups FROM terms) AS known
       WHERE place = 0`,
      [slug],
    );
    await client.query(`DELETE FROM ${table} WHERE id IN ($1, $2)`, [draft, published]);
    await client.query('DELETE FROM revisions WHERE entry_id IN ($1, $2)', [draft, published]);
    await client.query('DELETE FROM entry_counts WHERE name = $1', [table]);
    await client.query(
      `INSERT INTO entry_counts (name, locale, status, shard, entries)
       SELECT $1, _locale, status, 0, count(*) FROM ${table} GROUP BY _locale, status`,
      [table],
    );
    const { rows: ids } = await client.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE status = 'published' AND _locale = $1 ORDER BY hashtext(id) LIMIT $2`,
      [locales[0], sampledIds],
    );
    const { rows: counts } = await client.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM numbers WHERE is_published',
    );
    return { slug, publishedIds: ids.map(({ id }) => id), publishedCount: counts[0]?.count ?? 0 };
  });
}

/** Does the maintenance of the tables of a site that have rows. */
export async function vacuumTables(site: Site): Promise<void> {
  await withClient(site.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0`,
      [`"${site.schema}"`],
    );
    await client.query(`VACUUM (ANALYZE) ${rows.map(({ name }) => name).join()}`);
  });
}

/** Deletes all entries of a collection, which leaves the tables of the site as they were. */
export async function emptyTables(site: Site, { slug }: GrownCollection): Promise<void> {
  await withClient(site.databaseUrl, async (client) => {
    await client.query(`SET search_path = "${site.schema}"`);
    await client.query(`TRUNCATE content_${slug}, revisions, entry_terms`);
  });
}
