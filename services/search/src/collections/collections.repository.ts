import { columnsOf, Parameters, type Queryable, type Row } from '@quire/database';
import type { SearchIndex, Tokenizer } from '@quire/search-engine';
import { SearchCollection } from './search-collection.entity.js';
import { SearchGeneration } from './search-generation.entity.js';

export type CollectionRow = Row<SearchCollection>;

/** The input of an index build: indexes with equal specs are interchangeable. */
export type IndexSpec = Pick<
  Row<SearchGeneration>,
  'tokenizer' | 'weights' | 'titleWeight' | 'format' | 'fingerprint'
>;

/** The state of a generation, see SearchGeneration. */
export type GenerationState = 'live' | 'building' | 'retired';

export type GenerationRow = Omit<Row<SearchGeneration>, 'collectionId'> & { state: GenerationState };

/** The fingerprint of a generation with texts of different field sets; no collection has it. */
const mixed = '';

/** Whether all texts of a generation come from one set of fields. */
export const hasUniformFields = ({ fingerprint }: Pick<GenerationRow, 'fingerprint'>) =>
  fingerprint !== mixed;

/** The tokenizer of collections whose settings name none. */
export const defaultTokenizer: Tokenizer = 'porter unicode61';

const collectionColumns = columnsOf(SearchCollection);
const generationColumns = columnsOf(SearchGeneration, { of: 'g', except: ['collectionId'] });

export async function selectCollection(
  sql: Queryable,
  collectionId: string,
): Promise<CollectionRow | undefined> {
  const [row] = await sql.query<CollectionRow>(
    `SELECT ${collectionColumns} FROM search_collections WHERE collection_id = $1`,
    [collectionId],
  );
  return row;
}

/** @returns the searchable collections by slug. */
export async function selectEnabledCollections(sql: Queryable): Promise<CollectionRow[]> {
  return sql.query<CollectionRow>(
    `SELECT ${collectionColumns} FROM search_collections WHERE enabled ORDER BY slug, collection_id`,
  );
}

export type CollectionSettings = Pick<CollectionRow, 'collectionId' | 'slug' | 'hidden' | 'enabled'> & {
  tokenizer: CollectionRow['tokenizer'] | undefined;
  weights: CollectionRow['weights'] | undefined;
};

/**
 * Inserts or updates settings; undefined ones keep their value or default. Disabling skips a generation number, as
 * `disableCollection` does.
 */
export async function upsertSettings(
  sql: Queryable,
  { collectionId, slug, hidden, enabled, tokenizer, weights }: CollectionSettings,
): Promise<CollectionRow> {
  const params = new Parameters();
  const given = [collectionId, slug].map((text) => params.add(text, 'text'));
  given.push(...[hidden, enabled].map((flag) => params.add(flag, 'boolean')));
  const ownTokenizer = params.add(tokenizer ?? null, 'text');
  const ownWeights = params.add(weights ? JSON.stringify(weights) : null, 'json');
  const [row] = await sql.query<CollectionRow>(
    `INSERT INTO search_collections AS stored (collection_id, slug, hidden, enabled, tokenizer, weights)
     VALUES (${given.join(', ')}, coalesce(${ownTokenizer}, '${defaultTokenizer}'), coalesce(${ownWeights}, '{}'))
     ON CONFLICT (collection_id) DO UPDATE SET slug = excluded.slug, hidden = excluded.hidden, enabled = excluded.enabled,
       tokenizer = coalesce(${ownTokenizer}, stored.tokenizer), weights = coalesce(${ownWeights}, stored.weights),
       live_generation = CASE WHEN excluded.enabled THEN stored.live_generation END,
       last_generation = stored.last_generation + (stored.enabled AND NOT excluded.enabled)::integer,
       is_lost = stored.is_lost AND excluded.enabled
     RETURNING ${collectionColumns}`,
    params.values,
  );
  if (!row) throw new Error('Upsert of search settings returned no row');
  return row;
}

export async function setHidden(sql: Queryable, collectionId: string, hidden: boolean): Promise<void> {
  await sql.query('UPDATE search_collections SET hidden = $2 WHERE collection_id = $1 AND hidden <> $2', [
    collectionId,
    hidden,
  ]);
}

/**
 * Disables search for a collection and keeps its settings. A skipped generation number retires every generation so
 * far.
 */
export async function disableCollection(sql: Queryable, collectionId: string): Promise<void> {
  await sql.query(
    `UPDATE search_collections SET enabled = false, live_generation = NULL, is_lost = false,
       last_generation = last_generation + 1 WHERE collection_id = $1`,
    [collectionId],
  );
}

export async function deleteCollection(sql: Queryable, collectionId: string): Promise<void> {
  await sql.query('DELETE FROM search_collections WHERE collection_id = $1', [collectionId]);
}

/** `disableCollection` for all collections of a site. */
export async function disableAllCollections(sql: Queryable): Promise<void> {
  await sql.query(
    `UPDATE search_collections SET enabled = false, live_generation = NULL, is_lost = false,
       last_generation = last_generation + 1`,
  );
}

/** Deletes the settings and generations of all collections of a site. */
export async function deleteAllCollections(sql: Queryable): Promise<void> {
  await sql.query('DELETE FROM search_collections');
}

/** @returns the generations of a collection, oldest first. */
export async function selectGenerations(sql: Queryable, collectionId: string): Promise<GenerationRow[]> {
  return sql.query<GenerationRow>(
    `SELECT ${generationColumns},
       CASE WHEN generation = live_generation THEN 'live'
         WHEN enabled AND generation = last_generation THEN 'building'
         ELSE 'retired' END AS state
     FROM search_generations g JOIN search_collections c USING (collection_id)
     WHERE collection_id = $1 ORDER BY generation`,
    [collectionId],
  );
}

/**
 * Starts a generation.
 * @returns false when another one was started before, or the collection is no longer searchable
 */
export async function insertGeneration(
  sql: Queryable,
  { collectionId, generation }: { collectionId: string; generation: number },
  { tokenizer, weights, titleWeight, format, fingerprint }: IndexSpec,
): Promise<boolean> {
  const started = await sql.query(
    `WITH started AS (
       UPDATE search_collections SET last_generation = $2
       WHERE collection_id = $1 AND last_generation = $2 - 1 AND enabled RETURNING collection_id
     )
     INSERT INTO search_generations (collection_id, generation, tokenizer, weights, title_weight, format, fingerprint)
     SELECT collection_id, $2, $3, $4::json, $5, $6, $7 FROM started RETURNING generation`,
    [collectionId, generation, tokenizer, JSON.stringify(weights), titleWeight, format, fingerprint],
  );
  return started.length > 0;
}

/** Marks a generation as mixed: it receives texts of other fields than it was started with, and is never activated. */
export async function setMixed(sql: Queryable, collectionId: string, generation: number): Promise<void> {
  await sql.query(
    'UPDATE search_generations SET fingerprint = $3 WHERE collection_id = $1 AND generation = $2',
    [collectionId, generation, mixed],
  );
}

/** Stores the progress of a generation, unless another process has advanced it. */
export async function updateProgress(
  sql: Queryable,
  { collectionId, generation }: { collectionId: string; generation: number },
  { from, to }: { from: string | null; to: string },
): Promise<void> {
  await sql.query(
    `UPDATE search_generations SET after_id = $3
     WHERE collection_id = $1 AND generation = $2 AND after_id IS NOT DISTINCT FROM $4`,
    [collectionId, generation, to, from],
  );
}

/**
 * Makes a generation live if it is uniform and the newest one of a searchable collection. A request and a worker may
 * finish the same build: the later one changes nothing.
 * @returns whether it is live
 */
export async function activateGeneration(
  sql: Queryable,
  collectionId: string,
  generation: number,
): Promise<boolean> {
  const swapped = await sql.query(
    `UPDATE search_collections c SET live_generation = $2, is_lost = false, difference = NULL,
       last_rebuilt_at = CASE WHEN c.live_generation = $2 AND NOT c.is_lost THEN c.last_rebuilt_at ELSE now() END
     FROM search_generations g
     WHERE c.collection_id = $1 AND c.last_generation = $2 AND c.enabled
       AND g.collection_id = $1 AND g.generation = $2 AND g.fingerprint <> $3
     RETURNING c.collection_id`,
    [collectionId, generation, mixed],
  );
  return swapped.length > 0;
}

/** Stores the difference between the live index and the published entries; null for none. */
export async function setMismatch(
  sql: Queryable,
  collectionId: string,
  difference: string | null,
): Promise<void> {
  await sql.query(
    'UPDATE search_collections SET difference = $2 WHERE collection_id = $1 AND difference IS DISTINCT FROM $2',
    [collectionId, difference],
  );
}

/** Marks the live index as lost by the engine. @returns false when another generation is live. */
export async function setIndexLost(
  sql: Queryable,
  collectionId: string,
  generation: number,
): Promise<boolean> {
  const lost = await sql.query(
    `UPDATE search_collections SET is_lost = true WHERE collection_id = $1 AND live_generation = $2 AND enabled
     RETURNING collection_id`,
    [collectionId, generation],
  );
  return lost.length > 0;
}

/** Invalidates all generations started so far, because changes were missed. */
export async function invalidateGenerations(sql: Queryable, collectionId: string): Promise<void> {
  await sql.query(
    `UPDATE search_collections SET is_lost = live_generation IS NOT NULL, last_generation = last_generation + 1
     WHERE collection_id = $1 AND enabled`,
    [collectionId],
  );
}

/** Makes each next reconciliation rebuild its index, beside the present one. */
export async function outdateGenerations(sql: Queryable): Promise<void> {
  await sql.query('UPDATE search_generations SET fingerprint = $1', [mixed]);
}

export async function deleteGenerations(
  sql: Queryable,
  collectionId: string,
  generations: readonly number[],
): Promise<void> {
  await sql.query(
    'DELETE FROM search_generations WHERE collection_id = $1 AND generation = ANY ($2::integer[])',
    [collectionId, generations],
  );
}

/** An index that searches of a site use. */
export interface LiveIndex extends SearchIndex {
  slug: string;
  isLost: boolean;
}

interface LiveRow extends Omit<LiveIndex, 'titleWeight'> {
  titleWeight: number | null;
}

/** @returns the live indexes of visible collections by slug, of the given collections only if any are given. */
export async function selectLiveIndexes(
  sql: Queryable,
  slugs: readonly string[] | undefined,
  limit: number,
): Promise<LiveIndex[]> {
  const rows = await sql.query<LiveRow>(
    `SELECT c.collection_id AS "collectionId", c.slug, c.is_lost AS "isLost", g.generation, g.tokenizer, g.weights,
       g.title_weight AS "titleWeight", g.format
     FROM search_collections c
     JOIN search_generations g ON g.collection_id = c.collection_id AND g.generation = c.live_generation
     WHERE c.enabled AND NOT c.hidden AND ($1::text[] IS NULL OR c.slug = ANY ($1)) ORDER BY c.slug, c.collection_id LIMIT $2`,
    [slugs ?? null, limit],
  );
  return rows.map(({ titleWeight, ...row }) => (titleWeight === null ? row : { ...row, titleWeight }));
}

/** Maps a generation to the engine's index. */
export function toSearchIndex(
  collectionId: string,
  {
    generation,
    tokenizer,
    weights,
    titleWeight,
    format,
  }: Omit<IndexSpec, 'fingerprint'> & { generation: number },
): SearchIndex {
  const index = { collectionId, generation, tokenizer, weights, format };
  return titleWeight === null ? index : { ...index, titleWeight };
}
