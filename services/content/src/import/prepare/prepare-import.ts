import {
  checkImportCompatibility,
  defaultImportFields,
  fieldTypes,
  importCollectionSlug,
  isParentField,
  type FieldType,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { enableSearchOfCollection, outboxRow, sendMessage } from '@quire/jobs';
import {
  createCollection,
  createField,
  createFieldBody,
  selectCollection,
  selectFields,
  type SchemaChanges,
} from '../../schema/index.js';
import { isSearchedByDefault, newCollection } from './collection-settings.js';
import type { FieldInput, PostTypeInput, PreparedSchema, PrepareInput } from './prepare.schemas.js';

export interface PrepareDeps {
  changes: SchemaChanges;
  /** Wakes the outbox dispatcher. */
  wakeDispatcher: () => void;
}

type KnownField = FieldInput & { type: FieldType };

/**
 * Creates the collections and fields that post types need (spec document 3, rule 3; contract 1.3). Existing collections
 * and fields stay as they are, so a repeated call changes nothing. A collection with a field of an incompatible type
 * gets no fields; the others go on.
 * @returns what was created, and an error for each part that was not. `success` is false when a collection cannot take
 *   what is imported; a field of an unknown type is only reported (contract 36).
 */
export async function prepareImport(
  ctx: Context,
  deps: PrepareDeps,
  { postTypes }: PrepareInput,
): Promise<PreparedSchema> {
  const prepared: PreparedSchema = { success: true, collectionsCreated: [], fieldsCreated: [], errors: [] };
  for (const postType of postTypes) if (postType.enabled) await prepareType(ctx, deps, postType, prepared);
  return prepared;
}

async function prepareType(
  ctx: Context,
  deps: PrepareDeps,
  { name, collection, fields = defaultImportFields(name) }: PostTypeInput,
  prepared: PreparedSchema,
): Promise<void> {
  const slug = importCollectionSlug(collection);
  const known = fields.filter((field): field is KnownField => isFieldType(field.type));
  for (const { slug: field, type } of fields.filter((candidate) => !isFieldType(candidate.type)))
    prepared.errors.push({ collection: slug, error: `${field}: '${type}' is not a field type` });
  const fail = (error: unknown, prefix = '') => {
    if (!(error instanceof QuireError)) throw error;
    prepared.success = false;
    prepared.errors.push({ collection: slug, error: prefix + error.message });
  };
  const isNew = await createIfMissing(ctx, deps, slug).catch(fail);
  if (isNew === undefined) return;
  if (isNew) prepared.collectionsCreated.push(slug);
  const missing = await missingFields(ctx, slug, known).catch(fail);
  for (const field of missing ?? []) {
    try {
      await createField(ctx, deps.changes, { collection: slug, field: toFieldInput(field, slug) });
      prepared.fieldsCreated.push({ collection: slug, field: field.slug });
    } catch (error) {
      if (!hasCode(error, 'FIELD_EXISTS')) fail(error, `${field.slug}: `);
    }
  }
  if (isNew && isSearchedByDefault(slug) && known.some(({ searchable }) => searchable))
    await enableSearch(ctx, deps, slug);
}

const isFieldType = (type: string): type is FieldType => (fieldTypes as readonly string[]).includes(type);

const hasCode = (error: unknown, code: string) => error instanceof QuireError && error.code === code;

/** @returns whether the collection was created. @throws QuireError when it can be neither found nor created. */
async function createIfMissing(ctx: Context, { changes }: PrepareDeps, slug: string): Promise<boolean> {
  if (await selectCollection(ctx.db, slug)) return false;
  try {
    await createCollection(ctx, changes, newCollection(slug));
    return true;
  } catch (error) {
    // Another request has created it, or an orphaned table has its name.
    if (hasCode(error, 'COLLECTION_EXISTS') && (await selectCollection(ctx.db, slug))) return false;
    throw error;
  }
}

/** @returns the fields that a collection lacks. @throws QuireError CONFLICT when one has an incompatible type. */
async function missingFields(
  ctx: Context,
  slug: string,
  required: readonly KnownField[],
): Promise<KnownField[]> {
  const collection = await selectCollection(ctx.db, slug);
  const existing = collection ? await selectFields(ctx.db, collection.id) : [];
  const { schemaStatus } = checkImportCompatibility(required, existing);
  if (!schemaStatus.canImport)
    throw new QuireError('CONFLICT', schemaStatus.reason ?? 'Fields of other types');
  const distinct = new Map(required.map((field) => [field.slug, field]));
  return [...distinct.values()].filter(
    ({ slug: field }) => !existing.some((stored) => stored.slug === field),
  );
}

/** @throws QuireError VALIDATION_ERROR for a blank label. */
function toFieldInput(field: KnownField, collection: string) {
  const { slug, label, type, required, searchable = false } = field;
  return createFieldBody.parse({
    slug,
    label: label.trim() || slug,
    type,
    required,
    searchable,
    ...(isParentField(field) && { validation: { targetCollection: collection } }),
  });
}

/** By a message: the search service reads the collection when it is there. */
async function enableSearch(ctx: Context, deps: PrepareDeps, slug: string): Promise<void> {
  const collection = await selectCollection(ctx.db, slug);
  if (!collection) return;
  const message = { tenantId: ctx.principal.tenant.id, collectionId: collection.id, collection: slug };
  await sendMessage(ctx.db, 'content', outboxRow(enableSearchOfCollection, { ...message, deleted: false }));
  deps.wakeDispatcher();
}
