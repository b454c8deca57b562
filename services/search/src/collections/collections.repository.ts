import { Parameters, type Queryable } from '@quire/database';
import type { SearchIndex, Tokenizer } from '@quire/search-engine';

/** A collection as the service keeps it. */
export interface CollectionRow {
  collectionId: string;
  slug: string;
  hidden: boolean;
  enabled: boolean;
  tokenizer: Tokenizer;
  weights: Record<string, number>;
  lastGeneration: number;
  liveGeneration: number | null;
  isLost: boolean;
  difference: string | null;
  lastRebuiltAt: string | null;
}

/** What an index is made by: of two that agree in this, either will do. */
export interface IndexSpec {
  tokenizer: Tokenizer;
  weights: Record<string, number>;
  titleWeight: number | null;
  /** See `indexFormat`. */
  format: number;
  fingerprint: string;
}

/** How a generation stands to its collection: see SearchGeneration. */
export type GenerationState = 'live' | 'building' | 'retired';

export interface GenerationRow extends IndexSpec {
  generation: number;
  afterId: string | null;
  state: GenerationState;
}

/** The fingerprint of a generation that holds texts of different fields: no collection has it. */
const mixed = '';

/** Whether all texts that a generation was given are those of one set of fields. */
export const hasUniformFields = ({ fingerprint }: Pick<GenerationRow, 'fingerprint'>) =>
  fingerprint !== mixed;

const collectionColumns = `collection_id AS "collectionId", slug, hidden, enabled, tokenizer, weights,
  last_generation AS "lastGeneration", live_generation AS "liveGeneration", is_lost AS "isLost",
  difference, last_rebuilt_at AS "lastRebuiltAt"`;

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

/** Every collection that can be searched, by slug. */
export async function selectEnabledCollections(sql: Queryable): Promise<CollectionRow[]> {
  return sql.query<CollectionRow>(
    `SELECT ${collectionColumns} FROM search_collections WHERE enabled ORDER BY slug, collection_id`,
  );
}

export interface CollectionSettings {
  collectionId: string;
  slug: string;
  hidden: boolean;
  enabled: boolean;
  tokenizer: Tokenizer | undefined;
  weights: Record<string, number> | undefined;
}

/**
 * Writes settings; what is not given stays as it is, or as it is at first. Switching off leaves a number out, as
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
    `INSERT INTO search_collections AS held (collection_id, slug, hidden, enabled, tokenizer, weights)
     VALUES (${given.join(', ')}, coalesce(${ownTokenizer}, 'porter unicode61'), coalesce(${ownWeights}, '{}'))
     ON CONFLICT (collection_id) DO UPDATE SET slug = excluded.slug, hidden = excluded.hidden, enabled = excluded.enabled,
       tokenizer = coalesce(${ownTokenizer}, held.tokenizer), weights = coalesce(${ownWeights}, held.weights),
       live_generation = CASE WHEN excluded.enabled THEN held.live_generation END,
       last_generation = held.last_generation + (held.enabled AND NOT excluded.enabled)::integer,
       is_lost = held.is_lost AND excluded.enabled
     RETURNING ${collectionColumns}`,
    params.values,
  );
  if (!row) throw new Error('Upsert of search settings returned no row');
  return row;
}

/** Notes whether a collection is hidden. */
export async function setHidden(sql: Queryable, collectionId: string, hidden: boolean): Promise<void> {
  await sql.query('UPDATE search_collections SET hidden = $2 WHERE collection_id = $1 AND hidden <> $2', [
    collectionId,
    hidden,
  ]);
}

/**
 * Turns search off for a collection, whose settings stay; so that none of its generations counts again, a number is
 * left out.
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

/** The generations of a collection, oldest first. */
export async function selectGenerations(sql: Queryable, collectionId: string): Promise<GenerationRow[]> {
  return sql.query<GenerationRow>(
    `SELECT generation, g.tokenizer, g.weights, title_weight AS "titleWeight", format, fingerprint, after_id AS "afterId",
       CASE WHEN generation = live_generation THEN 'live'
         WHEN enabled AND generation = last_generation THEN 'building'
         ELSE 'retired' END AS state
     FROM search_generations g JOIN search_collections c USING (collection_id)
     WHERE collection_id = $1 ORDER BY generation`,
    [collectionId],
  );
}

/**
 * Begins a generation.
 * @returns false when another was begun meanwhile, or the collection cannot be searched any more
 */
export async function insertGeneration(
  sql: Queryable,
  { collectionId, generation }: { collectionId: string; generation: number },
  { tokenizer, weights, titleWeight, format, fingerprint }: IndexSpec,
): Promise<boolean> {
  const begun = await sql.query(
    `WITH begun AS (
       UPDATE search_collections SET last_generation = $2
       WHERE collection_id = $1 AND last_generation = $2 - 1 AND enabled RETURNING collection_id
     )
     INSERT INTO search_generations (collection_id, generation, tokenizer, weights, title_weight, format, fingerprint)
     SELECT collection_id, $2, $3, $4::json, $5, $6, $7 FROM begun RETURNING generation`,
    [collectionId, generation, tokenizer, JSON.stringify(weights), titleWeight, format, fingerprint],
  );
  return begun.length > 0;
}

/**
 * Notes that a generation is given texts of other fields than it was begun with: it is not what anybody wants
 * any more.
 */
export async function setMixed(sql: Queryable, collectionId: string, generation: number): Promise<void> {
  await sql.query(
    'UPDATE search_generations SET fingerprint = $3 WHERE collection_id = $1 AND generation = $2',
    [collectionId, generation, mixed],
  );
}

/** Notes how far a generation is filled, unless somebody else has filled it further. */
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
 * Has a generation searched from now on, if it is still pure and the newest one of a collection that can be
 * searched.
 */
export async function activateGeneration(
  sql: Queryable,
  collectionId: string,
  generation: number,
): Promise<boolean> {
  const swapped = await sql.query(
    `UPDATE search_collections c SET live_generation = $2, is_lost = false, difference = NULL, last_rebuilt_at = now()
     FROM search_generations g
     WHERE c.collection_id = $1 AND c.last_generation = $2 AND c.enabled
       AND g.collection_id = $1 AND g.generation = $2 AND g.fingerprint <> $3
     RETURNING c.collection_id`,
    [collectionId, generation, mixed],
  );
  return swapped.length > 0;
}

/** Notes how the index that is searched differs from what is published, or that it does not. */
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

/** Notes that the engine has lost what is searched. @returns false when another generation is searched by now */
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

/** What is searched of a site. */
export interface LiveIndex extends SearchIndex {
  slug: string;
  isLost: boolean;
}

interface LiveRow extends Omit<LiveIndex, 'titleWeight'> {
  titleWeight: number | null;
}

/** The live indexes of collections that are not hidden, by slug; of these collections only, where they are given. */
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

/** A generation as the engine names it. */
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
