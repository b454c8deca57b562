import type { Context } from '@quire/context';
import { createField, createFieldBody } from '../../schema/index.js';
import { insertRecords } from '../records/index.js';
import { createTestCollection, schemaChanges } from './test-schema.js';

/** The source site of specs. */
export const site = 'a.example';

/** Creates a collection with a title. */
export async function createTitledCollection(ctx: Context, slug: string): Promise<void> {
  await createTestCollection(ctx, slug);
  const field = createFieldBody.parse({ slug: 'title', label: 'Title', type: 'string' });
  await createField(ctx, schemaChanges(), { collection: slug, field });
}

/** Stores an entry as an import of the source item `post` `id` does. @returns its id, which is also its group. */
export async function importTestEntry(
  ctx: Context,
  id: string,
  { collection = 'posts', title = `Title of ${id}` }: { collection?: string; title?: string } = {},
): Promise<string> {
  const entryId = `entry-${id}`;
  await ctx.db.query(
    `INSERT INTO "content_${collection}" (id, slug, _locale, _translation_group, title) VALUES ($1, $1, 'en', $1, $2)`,
    [entryId, title],
  );
  const source = { type: 'post', id };
  await insertRecords(ctx.db, { site, importId: 'i0' }, [
    { source, kind: 'entry', targetId: entryId, collection },
  ]);
  return entryId;
}
