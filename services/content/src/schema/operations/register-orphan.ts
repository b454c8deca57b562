import { checkFieldSlug, completeFieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { storeField } from '../field-rules.js';
import { collectionAnswer, type CollectionAnswer } from '../schema-answer.js';
import { fieldsOf, type SchemaChanges } from '../schema-change.js';
import { ensureSystemIndexes } from '../tables/content-table.js';
import { columnsOfOrphan, findOrphans, type OrphanColumns } from '../tables/orphans.js';
import { insertCollection, namedCollectionConflict, requireUsableSlug } from './create-collection.js';

export interface OrphanRegistration {
  label?: string | undefined;
  labelSingular?: string | undefined;
  description?: string | undefined;
}

/**
 * Makes a collection of an orphaned table, its columns becoming fields.
 * @throws QuireError TABLE_NOT_FOUND, COLLECTION_EXISTS, INVALID_SLUG, RESERVED_SLUG, REGISTER_FAILED (the table is not
 * one that a collection can have).
 */
export async function registerOrphan(
  ctx: Context,
  changes: SchemaChanges,
  slug: string,
  registration: OrphanRegistration,
): Promise<CollectionAnswer> {
  requireUsableSlug(slug);
  try {
    return await changes.run(ctx, async (tx) => {
      const orphan = (await findOrphans(tx)).find((table) => table.slug === slug);
      const existing = await tx.query('SELECT 1 FROM collections WHERE slug = $1', [slug]);
      if (existing.length > 0)
        throw new QuireError('COLLECTION_EXISTS', `There is a collection '${slug}' already`);
      if (!orphan)
        throw new QuireError('TABLE_NOT_FOUND', `There is no orphaned table of the name '${slug}'`);
      const columns = await columnsOfOrphan(tx, orphan.tableName);
      requireUsable(columns);
      const collection = await insertCollection(tx, {
        ...registration,
        slug,
        label: registration.label ?? slug.charAt(0).toUpperCase() + slug.slice(1),
        supports: ['drafts', 'revisions'],
        source: 'discovered',
        routable: true,
        hidden: false,
        editLocking: true,
      });
      for (const [sortOrder, { slug: fieldSlug, type }] of columns.fields.entries()) {
        const field = { ...completeFieldDefinition({ slug: fieldSlug, label: fieldSlug, type }), sortOrder };
        await storeField(tx, ulid(), collection.id, field);
      }
      await ensureSystemIndexes(tx, orphan.tableName);
      return collectionAnswer(collection, await fieldsOf(tx, collection.id));
    });
  } catch (error) {
    throw namedCollectionConflict(slug, error);
  }
}

function requireUsable({ missing, fields, unusable }: OrphanColumns): void {
  const badNames = fields.filter(({ slug }) => checkFieldSlug(slug) !== null).map(({ slug }) => slug);
  const reasons = [
    missing.length > 0 ? `it lacks the columns ${missing.join(', ')}` : '',
    unusable.length > 0 ? `no field has the type of ${unusable.join(', ')}` : '',
    badNames.length > 0 ? `no field can be called ${badNames.join(', ')}` : '',
  ].filter(Boolean);
  if (reasons.length > 0)
    throw new QuireError('REGISTER_FAILED', `The table cannot become a collection: ${reasons.join('; ')}`);
}
