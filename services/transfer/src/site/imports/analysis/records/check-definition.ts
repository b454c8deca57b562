import {
  blockFieldTypes,
  checkBlockFields,
  checkCollectionSlug,
  checkFieldColumn,
  checkFieldDefinition,
  fieldTypes,
  isSlug,
  type BlockField,
  type DefinitionProblem,
  type FieldType,
} from '@quire/content-model';
import type { RecordKind, SiteRecord } from '@quire/site-package';
import { checkBylineField } from './check-byline.js';
import { checkSetting } from './check-setting.js';
import { fieldInput } from './package-schema.js';
import type { RecordFault } from './parse-record.js';

type DefinitionCheck<Kind extends RecordKind> = (record: SiteRecord<Kind>) => RecordFault[];

/** Properties of definitions that an installation stores whatever they are. */
const storedAsTheyAre = new Set(['label', 'widget', 'sortOrder', 'defaultValue']);

const knownTypes: ReadonlySet<string> = new Set(fieldTypes);

/** Whether this installation can create the definitions of a package. */
const checks: { [Kind in RecordKind]?: DefinitionCheck<Kind> } = {
  settings: checkSetting,
  byline_fields: checkBylineField,
  collections: ({ slug }) => problemFaults([checkCollectionSlug(slug)].filter((problem) => problem !== null)),
  fields: checkField,
  relations: ({ slug }) => slugFaults(slug),
  block_types: ({ slug }) => slugFaults(slug),
  block_type_versions: checkBlockVersion,
};

/** @param record one that the schema of its kind accepts */
export function checkDefinition(kind: RecordKind, record: Readonly<Record<string, unknown>>): RecordFault[] {
  const check = checks[kind] as ((each: typeof record) => RecordFault[]) | undefined;
  return check?.(record) ?? [];
}

function checkField(record: SiteRecord<'fields'>): RecordFault[] {
  if (!knownTypes.has(record.type)) return [unknownType('type', record.type)];
  const column = checkFieldColumn({ ...record, type: record.type as FieldType });
  const problems = checkFieldDefinition(fieldInput(record), { isStored: true });
  if (column !== null) problems.push(column);
  return problemFaults(problems.filter(({ path }) => !storedAsTheyAre.has(path.split('.', 1)[0] ?? '')));
}

function checkBlockVersion({ fields }: SiteRecord<'block_type_versions'>): RecordFault[] {
  const blockFields = fields as unknown as BlockField[];
  const unknown = blockFields.findIndex(({ type }) => !blockFieldTypes.has(type));
  if (unknown !== -1) return [unknownType(`fields.${unknown}.type`, String(blockFields[unknown]?.type))];
  const problems = checkBlockFields(blockFields);
  return problemFaults(
    problems
      .filter(({ path }) => !storedAsTheyAre.has(path.split('.')[1] ?? ''))
      .map((problem) => ({ ...problem, path: `fields.${problem.path}` })),
  );
}

function slugFaults(slug: string): RecordFault[] {
  if (isSlug(slug)) return [];
  return [
    { code: 'value_constraint_violation', message: 'A slug has another form than slugs have', path: 'slug' },
  ];
}

function unknownType(path: string, type: string): RecordFault {
  return { code: 'field_type_unknown', message: `This installation has no field type '${type}' here`, path };
}

function problemFaults(problems: readonly DefinitionProblem[]): RecordFault[] {
  return problems.map(({ path, message }) => ({
    code: 'value_constraint_violation',
    message: `A definition cannot be created: ${path} ${message}`,
    path,
  }));
}
