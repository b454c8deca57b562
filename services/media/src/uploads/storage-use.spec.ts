import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { mediaEntities } from '../media.module.js';
import { selectStorageUse } from './uploads.repository.js';
import { mediaTables } from '../migrations/index.js';

let media: ServiceTenant;
const sql = <Row extends object>(text: string) => media.ctx.db.query<Row>(text);

beforeAll(async () => {
  media = await openServiceTenant('spec-of-storage-use', 'media', mediaTables, mediaEntities);
});
afterAll(() => media.close());
/** Two ready items of 10 and 20 bytes, a pending and a failed one. */
beforeEach(async () => {
  await sql('DELETE FROM media_items');
  await sql(`INSERT INTO media_items (id, filename, mime_type, size, storage_key, status) VALUES
    ('a', 'a', 'x/y', 10, 'a', 'ready'), ('b', 'b', 'x/y', 20, 'b', 'ready'),
    ('c', 'c', 'x/y', 40, 'c', 'pending'), ('d', 'd', 'x/y', 80, 'd', 'failed')`);
});

describe('the bytes of the ready items', () => {
  it.each([
    ['nothing has changed', 'SELECT 1', 30],
    ['an item becomes ready', "UPDATE media_items SET status = 'ready' WHERE id = 'c'", 70],
    ['an item gets other bytes', "UPDATE media_items SET size = 5 WHERE id = 'b'", 15],
    ['items change in other columns', "UPDATE media_items SET alt = 'x'", 30],
    ['an item that is not ready gets another size', "UPDATE media_items SET size = 1 WHERE id = 'c'", 30],
    ['items are deleted', "DELETE FROM media_items WHERE id IN ('b', 'c')", 10],
    ['all items are deleted', 'TRUNCATE media_items CASCADE', 0],
  ])('are right when %s', async (_, statement, bytes) => {
    await sql(statement);
    expect(await selectStorageUse(media.ctx.db)).toBe(bytes);
  });

  it('are right after concurrent changes, and have few rows', async () => {
    const add = (index: number) =>
      sql(`INSERT INTO media_items (id, filename, mime_type, size, storage_key, status)
        VALUES ('n${index}', 'n', 'x/y', 1, 'n${index}', 'ready')`);
    await Promise.all(Array.from({ length: 60 }, (_, index) => add(index)));
    expect(await selectStorageUse(media.ctx.db)).toBe(90);
    expect((await sql('SELECT 1 FROM storage_use')).length).toBeLessThanOrEqual(16);
  });
});
