import type { Context } from '@quire/context';
import type { CacheInvalidationBus } from '@quire/jobs';
import { createCollection, createCollectionBody, Definitions, SchemaChanges } from '../../schema/index.js';

/** Changes of the schema in a process without other processes. */
export function schemaChanges(definitions = new Definitions()): SchemaChanges {
  return new SchemaChanges(definitions, { invalidate: () => undefined } as unknown as CacheInvalidationBus);
}

/** Creates a collection without fields. */
export async function createTestCollection(ctx: Context, slug: string, more: object = {}): Promise<void> {
  await createCollection(ctx, schemaChanges(), createCollectionBody.parse({ slug, label: slug, ...more }));
}
