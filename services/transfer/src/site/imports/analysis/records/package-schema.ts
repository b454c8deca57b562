import {
  blockFieldDefinition,
  checkBlockFields,
  checkFieldColumn,
  checkFieldDefinition,
  columnType,
  compileFields,
  completeFieldDefinition,
  isRelationField,
  type BlockField,
  type BlockTypes,
  type ColumnType,
  type CompiledFields,
  type FieldDefinition,
  type FieldDefinitionInput,
} from '@quire/content-model';
import type { SiteRecord } from '@quire/site-package';

/** A field with a column, as the checks of values use it. */
export interface PackageField {
  definition: FieldDefinition;
  column: ColumnType;
}

/** A collection of the package with the fields that this installation can create. */
export interface PackageCollection {
  id: string;
  slug: string;
  columns: ReadonlyMap<string, PackageField>;
  /** Fields of values that pages render as links or sources; their values are checked by content-model. */
  linking: CompiledFields;
  linkingSlugs: readonly string[];
  /** Slugs of fields without a column, or of an unknown type: their values are not checked. */
  ignored: ReadonlySet<string>;
}

/** The schema records of a package. */
export interface SchemaRecords {
  collections: readonly Pick<SiteRecord<'collections'>, 'id' | 'slug'>[];
  fields: readonly SiteRecord<'fields'>[];
  blockTypes: readonly Pick<SiteRecord<'block_types'>, 'id' | 'slug' | 'currentVersion'>[];
  blockTypeVersions: readonly Pick<SiteRecord<'block_type_versions'>, 'blockTypeId' | 'version' | 'fields'>[];
}

/** The collections of a package by slug, for the checks of entries and revisions. */
export type PackageSchema = ReadonlyMap<string, PackageCollection>;

const linkingTypes = new Set(['image', 'file', 'repeater', 'blocks']);

/** Compiles the schema of a package. Fields and block types that cannot be created are left out: they are blockers. */
export function packageSchema(records: SchemaRecords): PackageSchema {
  const blockTypes = blockTypesOf(records);
  const fieldsOf = new Map<string, SiteRecord<'fields'>[]>();
  for (const field of records.fields)
    fieldsOf.set(field.collectionId, [...(fieldsOf.get(field.collectionId) ?? []), field]);
  return new Map(
    records.collections.map(({ id, slug }) => [
      slug,
      compiledCollection({ id, slug }, fieldsOf.get(id) ?? [], blockTypes),
    ]),
  );
}

/** A field of the package as content-model has it. */
export function fieldInput(record: SiteRecord<'fields'>): FieldDefinitionInput {
  const { id: _, collectionId: __, createdAt: ___, updatedAt: ____, ...input } = record;
  return input;
}

/** Whether values of the field can be checked: its definition has no problem but in its default value. */
function isUsable(input: FieldDefinitionInput): boolean {
  const problems = checkFieldDefinition({ ...input, defaultValue: null }, { isStored: true });
  return problems.length === 0 && checkFieldColumn(input as Partial<FieldDefinition>) === null;
}

function compiledCollection(
  { id, slug }: Pick<PackageCollection, 'id' | 'slug'>,
  records: readonly SiteRecord<'fields'>[],
  blockTypes: BlockTypes,
): PackageCollection {
  const inputs = records.map(fieldInput);
  const usable = inputs.filter(isUsable).map(completeFieldDefinition);
  const withColumn = usable.filter((field) => !isRelationField(field));
  const columnSlugs = new Set(withColumn.map((field) => field.slug));
  const linking = withColumn.filter(({ type }) => linkingTypes.has(type));
  return {
    id,
    slug,
    columns: new Map(
      withColumn.map((definition) => [definition.slug, { definition, column: columnType(definition.type) }]),
    ),
    linking: compileFields(linking, slug, { blockTypes }),
    linkingSlugs: linking.map((field) => field.slug),
    ignored: new Set(inputs.map((input) => String(input.slug)).filter((each) => !columnSlugs.has(each))),
  };
}

function blockTypesOf({ blockTypes, blockTypeVersions }: SchemaRecords): BlockTypes {
  const active = new Map(blockTypes.map(({ slug, currentVersion }) => [slug, currentVersion]));
  const slugs = new Map(blockTypes.map(({ id, slug }) => [id, slug]));
  const versions = new Map(
    blockTypeVersions.flatMap(({ blockTypeId, version, fields }) => {
      const blockFields = fields as unknown as BlockField[];
      const slug = slugs.get(blockTypeId);
      if (slug === undefined || !isUsableBlock(blockFields)) return [];
      return [[`${slug} ${version}`, compileFields(blockFields.map(blockFieldDefinition), slug)] as const];
    }),
  );
  return {
    has: (type) => active.has(type),
    version: (type, version) => versions.get(`${type} ${version}`) ?? null,
    activeVersion: (type) => active.get(type) ?? null,
  };
}

function isUsableBlock(fields: readonly BlockField[]): boolean {
  return checkBlockFields(fields.map((field) => ({ ...field, defaultValue: null }))).length === 0;
}
