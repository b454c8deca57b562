import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guardWrites, liftWriteGuard } from '@quire/tenancy';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { mediaEntities } from '../media.module.js';
import { mediaTables } from '../migrations/index.js';
import { insertVariant, touchVariant } from './variants.repository.js';

let media: ServiceTenant;
beforeAll(async () => {
  media = await openServiceTenant('spec-of-variants', 'media', mediaTables, mediaEntities);
});
afterAll(() => media.close());

describe('touchVariant', () => {
  it('returns a variant also while its use cannot be stored', async () => {
    const { db } = media.ctx;
    const key = { sourceKey: 'source', name: 'small' };
    await insertVariant(db, { ...key, objectKey: 'object', size: 10 });
    await db.query("UPDATE media_variants SET used_at = now() - interval '2 days'");
    const isUseOld = async () =>
      (
        await db.query<{ isOld: boolean }>(
          `SELECT used_at < now() - interval '1 day' AS "isOld" FROM media_variants`,
        )
      )[0]?.isOld;
    await guardWrites(db, 60);
    expect(await touchVariant(db, key)).toMatchObject({ objectKey: 'object', size: 10 });
    expect(await isUseOld()).toBe(true);
    await liftWriteGuard(db);
    await touchVariant(db, key);
    expect(await isUseOld()).toBe(false);
  });
});
