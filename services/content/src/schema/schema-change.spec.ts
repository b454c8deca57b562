import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { CacheInvalidationBus } from '@quire/jobs';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { contentTables } from '../migrations/index.js';
import { createCollection } from './collections/collections.operations.js';
import { createCollectionBody } from './collections/collections.schemas.js';
import { Definitions } from './definitions/definitions.js';
import { SchemaChanges } from './schema-change.js';

const relay = { invalidate: () => undefined } as unknown as CacheInvalidationBus;
const changes = new SchemaChanges(new Definitions(), relay);
let content: ServiceTenant;
let ctx: Context;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-schema-changes', 'content', contentTables, contentEntities);
  ({ ctx } = content);
  await createCollection(ctx, changes, createCollectionBody.parse({ slug: 'posts', label: 'Posts' }));
});
afterAll(() => content.close());

const changeTable = (maxWaitMs?: number) =>
  changes.withTableLock(
    ctx,
    'posts',
    async ({ tx }) => (await tx.query<{ lock_timeout: string }>('SHOW lock_timeout'))[0]?.lock_timeout,
    { maxWaitMs },
  );

describe('SchemaChanges.withTableLock', () => {
  it('waits for each lock as long as it may', async () => {
    expect([await changeTable(), await changeTable(50)]).toEqual(['5s', '50ms']);
  });

  it('throws SERVICE_UNAVAILABLE while a writer keeps its lock, and leaves no request behind it', async () => {
    await ctx.db.transaction(async (tx) => {
      await tx.query('LOCK TABLE content_posts IN ROW EXCLUSIVE MODE');
      await expect(changeTable(50)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 1,
      });
      expect(await ctx.db.query('SELECT id FROM content_posts')).toEqual([]);
    });
    expect(await changeTable(50)).toBe('50ms');
  });
});
