import {
  compileFields,
  isRelationField,
  plainTextTypes,
  type BlockFieldsOf,
  type CompiledFields,
  type FieldDefinition,
} from '@quire/content-model';
import { QuireError } from '@quire/errors';
import { blockFieldsOf, blockTypeLookup } from '../block-types/block-type-rules.js';
import type { StoredBlockType } from '../block-types/block-types.repository.js';
import type { Support } from '../collections/collection.entity.js';
import type { StoredCollection } from '../collections/collections.repository.js';
import type { StoredField } from '../fields/fields.repository.js';
import type { RelationReference } from '../relations/relation-reference.js';
import { contentTableName } from '../tables/content-table.repository.js';

/** A collection as operations on entries use it. Immutable: every change has a new version. */
export interface CollectionDefinition {
  id: string;
  slug: string;
  /** Grows with every change. A write names it, so that none applies outdated rules. */
  version: number;
  table: string;
  /** Unique per collection and version. It is part of the text of prepared statements. */
  statementKey: string;
  supports: ReadonlySet<Support>;
  routable: boolean;
  urlPattern: string | null;
  hasSeo: boolean;
  editLocking: boolean;
  titleField: string | null;
  dateField: string | null;
  /** In display order. */
  fields: readonly FieldDefinition[];
  /** The fields with a column, in display order. */
  columns: readonly FieldDefinition[];
  fieldBySlug: ReadonlyMap<string, FieldDefinition>;
  /** The relations that reference fields view, in display order. */
  references: readonly RelationReference[];
  /** Whether services subscribe to changes of its entries. */
  hasSubscribers: boolean;
  /** Whether entries and changes of its table, and of those that its references name, are counted. */
  isCounted: boolean;
  /** Looks up the fields of a version of a block type. */
  blockFields: BlockFieldsOf;
  compiled: CompiledFields;
}

/** Parts of a definition from other tables. */
export interface DefinitionOptions {
  /** The site's block types, if the collection has a blocks field. */
  types?: readonly StoredBlockType[];
  references?: readonly RelationReference[];
  hasSubscribers?: boolean;
  isCounted?: boolean;
}

/** @param stored the fields in display order */
export function defineCollection(
  collection: StoredCollection,
  stored: readonly StoredField[],
  { types = [], references = [], hasSubscribers = false, isCounted = false }: DefinitionOptions = {},
): CollectionDefinition {
  const fields = stored.map(fieldDefinition);
  return {
    id: collection.id,
    slug: collection.slug,
    version: collection.version,
    table: contentTableName(collection.slug),
    statementKey: `${collection.id}.${collection.version}`,
    supports: new Set(collection.supports),
    routable: collection.routable,
    urlPattern: collection.urlPattern,
    hasSeo: collection.hasSeo,
    editLocking: collection.editLocking,
    titleField: collection.titleField,
    dateField: collection.dateField,
    fields,
    columns: fields.filter((field) => !isRelationField(field)),
    fieldBySlug: new Map(fields.map((field) => [field.slug, field])),
    references,
    hasSubscribers,
    isCounted,
    blockFields: blockFieldsOf(types),
    compiled: compileFields(fields, collection.slug, { blockTypes: blockTypeLookup(types) }),
  };
}

/** Fields that name an entry where the collection states no title field. */
export const namingFields: readonly string[] = ['title', 'name'];

/** @returns the field whose text names the entries of a collection: its title field, else `title`, else `name`. */
export function titleFieldOf({
  titleField,
  fields,
}: Pick<CollectionDefinition, 'titleField' | 'fields'>): FieldDefinition | null {
  const candidates = titleField === null ? namingFields : [titleField];
  const named = candidates.flatMap((slug) => fields.find((field) => field.slug === slug) ?? []);
  return named.find(({ type }) => plainTextTypes.has(type)) ?? null;
}

/** @returns the properties of a stored field that the content model knows. */
export function fieldDefinition(field: FieldDefinition): FieldDefinition {
  const { slug, label, type, required, unique, searchable, indexed, translatable } = field;
  const { defaultValue, validation, widget, options, sortOrder } = field;
  return {
    slug,
    label,
    type,
    required,
    unique,
    searchable,
    indexed,
    translatable,
    defaultValue: defaultValue ?? null,
    validation,
    widget,
    options,
    sortOrder,
  };
}

export function collectionNotFound(slug: string): QuireError {
  return new QuireError('COLLECTION_NOT_FOUND', `Collection '${slug}' not found`);
}
