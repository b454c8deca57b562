import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { searchTables } from '../migrations/index.js';
import { searchEntities } from '../search.module.js';
import { activateGeneration } from './collections.repository.js';

let search: ServiceTenant;
beforeAll(async () => {
  search = await openServiceTenant('spec-of-activation', 'search', searchTables, searchEntities);
  const { db } = search.ctx;
  await db.query(`INSERT INTO search_collections (collection_id, slug, enabled, tokenizer, weights, last_generation)
    VALUES ('c', 'posts', true, 'porter', '{}', 1)`);
  await db.query(`INSERT INTO search_generations (collection_id, generation, tokenizer, weights, fingerprint)
    VALUES ('c', 1, 'porter', '{}', 'built')`);
});
afterAll(() => search.close());

it('a build that a request and a worker finish has one time of its end', async () => {
  const { db } = search.ctx;
  const rebuiltAt = async () =>
    (await db.query<{ at: string }>('SELECT last_rebuilt_at AS at FROM search_collections'))[0]?.at;
  expect([await activateGeneration(db, 'c', 1), typeof (await rebuiltAt())]).toEqual([true, 'string']);
  await db.query("UPDATE search_collections SET last_rebuilt_at = last_rebuilt_at - interval '1 hour'");
  const first = await rebuiltAt();
  expect([await activateGeneration(db, 'c', 1), await rebuiltAt()]).toEqual([true, first]);
  await db.query('UPDATE search_collections SET is_lost = true');
  expect([await activateGeneration(db, 'c', 1), (await rebuiltAt()) === first]).toEqual([true, false]);
});
