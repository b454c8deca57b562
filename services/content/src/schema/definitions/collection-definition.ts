import {
  compileFields,
  isRelationField,
  type BlockFieldsOf,
  type CompiledFields,
  type FieldDefinition,
} from '@quire/content-model';
import type { BlockType } from '../block-types/block-type.js';
import { blockFieldsOf, blockTypeLookup } from '../block-types/block-type-rules.js';
import type { Collection, Support } from '../collections/collection.entity.js';
import type { Field } from '../fields/field.entity.js';
import type { RelationReference } from '../relations/relation.js';
import { contentTableName } from '../tables/content-table.js';

/** All that operations on entries need of a collection, ready to use. Immutable; a change makes a new version. */
export interface CollectionDefinition {
  id: string;
  slug: string;
  /** Grows with every change; writes name it, so that none is made by rules that no longer hold. */
  version: number;
  table: string;
  /** Differs between any two versions of any two collections: stands in the text of statements whose plans are kept. */
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
  /** Those with a column, in display order. */
  columns: readonly FieldDefinition[];
  fieldBySlug: ReadonlyMap<string, FieldDefinition>;
  /** The relations that reference fields view, in display order. */
  references: readonly RelationReference[];
  /** Whether somebody is told of every change of its entries. */
  hasSubscribers: boolean;
  /** The fields of a version of a block type, where a field of the collection holds blocks. */
  blockFields: BlockFieldsOf;
  compiled: CompiledFields;
}

/** What stands in other tables and belongs to a definition. */
export interface DefinitionOptions {
  /** The site's block types, where a field holds blocks. */
  types?: readonly BlockType[];
  references?: readonly RelationReference[];
  hasSubscribers?: boolean;
}

/** Builds the definition of a stored collection and its stored fields (in display order). */
export function defineCollection(
  collection: Collection,
  stored: readonly Field[],
  { types = [], references = [], hasSubscribers = false }: DefinitionOptions = {},
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
    blockFields: blockFieldsOf(types),
    compiled: compileFields(fields, collection.slug, { blockTypes: blockTypeLookup(types) }),
  };
}

/** The properties of a stored field that the content model knows. */
export function fieldDefinition(field: Field): FieldDefinition {
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
