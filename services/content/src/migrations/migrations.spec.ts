import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { openServiceTenant, tableDrift } from '@quire/testing';
import { decodeTime } from 'ulid';
import { contentEntities } from '../content.module.js';
import { contentTables } from './index.js';

it('the migrations of the content service create the tables that its entities describe (design 5)', async () => {
  expect(await tableDrift('content', contentTables, contentEntities)).toEqual([]);
});

it('the database makes ids of messages that sort among those of the program', async () => {
  const { databases, close } = await openServiceTenant(
    'spec-of-message-ids',
    'content',
    contentTables,
    contentEntities,
  );
  try {
    const rows = await databases.shared().query<{ id: string; time: number }>(
      `SELECT message_id() AS id, (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS time
       FROM generate_series(1, 1000)`,
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1_000);
    for (const { id, time } of rows) {
      expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(decodeTime(id)).toBeGreaterThanOrEqual(time);
      expect(decodeTime(id)).toBeLessThan(time + 60_000);
    }
  } finally {
    await close();
  }
});
