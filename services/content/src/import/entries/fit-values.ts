import { isRequired, validateValues, type FieldDefinition, type ValueIssue } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import type { contentImportApi } from '@quire/internal-api';
import { missingTargets, withoutNulls, type EntryValues, type MediaResolver } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { cleanJson } from './clean-json.js';
import { warningCodes, type Failure } from './importer.js';

/** The values of an imported entry as they are stored, without nulls, and what was left out. */
export interface FittedValues {
  values: EntryValues;
  warnings: contentImportApi.ImportWarning[];
  /** Why the entry cannot be more than a draft; null when all its values are valid. */
  failure: Failure | null;
}

export interface ValueLookups {
  sql: Queryable;
  media: MediaResolver;
}

/** Nested values are removed first, then whole ones; texts are cleaned once. */
const maxRounds = 6;

/** Fields without which an entry is not what the source published. */
const essentialSlugs = new Set(['title', 'content']);

const isEssential = (field: FieldDefinition) => essentialSlugs.has(field.slug) || isRequired(field);

/**
 * Validates imported values as a write of the API does, with the URL and time rules of imports (contract 4.4, 4.5).
 * Values that do not fit are left out with a warning; without a value of an essential field the entry fails.
 * @param input.data has values of fields with a column only
 * @param input.failure a failure of the conversion: required fields may then be absent
 */
export async function fitValues(
  definition: CollectionDefinition,
  { data, title, failure: given }: { data: EntryValues; title: string; failure: Failure | null },
  lookups: ValueLookups,
): Promise<FittedValues> {
  const fitting = new Fitting(definition, { ...data }, given);
  for (let round = 1; round <= maxRounds; round += 1) {
    const result = validateValues(definition.compiled, fitting.data, fitting.failure ? 'update' : 'create', {
      origin: 'seed',
    });
    const issues = [...result.issues, ...(await missingTargets(lookups.sql, result.references))];
    if (issues.length === 0)
      issues.push(...(await lookups.media.check(result.media, definition, { stored: {} })));
    if (issues.length === 0)
      return { values: withoutNulls(result.values), warnings: fitting.warnings, failure: fitting.failure };
    fitting.resolve(issues, round);
  }
  const values = withoutNulls({ title: definition.fieldBySlug.has('title') ? title : null });
  return { values, warnings: fitting.warnings, failure: fitting.failure };
}

/** The values of one entry while they are made to fit. */
class Fitting {
  readonly warnings: contentImportApi.ImportWarning[] = [];

  constructor(
    private readonly definition: CollectionDefinition,
    public data: EntryValues,
    public failure: Failure | null,
  ) {}

  resolve(issues: readonly ValueIssue[], round: number): void {
    if (round === 1 && issues.some(({ code }) => code === 'characters')) {
      this.data = cleanJson(this.data);
      return;
    }
    const slugOf = ({ path }: ValueIssue) => path.split('.')[0] ?? '';
    for (const slug of new Set(issues.map(slugOf)))
      this.resolveField(
        slug,
        issues.filter((issue) => slugOf(issue) === slug),
      );
  }

  private resolveField(slug: string, issues: readonly ValueIssue[]): void {
    const field = this.definition.fieldBySlug.get(slug);
    if (!field) {
      Reflect.deleteProperty(this.data, slug);
    } else if (this.removeNestedUrls(field, issues)) {
      this.warn(issues);
    } else if (isEssential(field)) {
      this.failure ??= { code: 'VALIDATION_ERROR', message: describe(issues) };
      Reflect.deleteProperty(this.data, slug);
    } else {
      this.warn(issues);
      this.data[slug] = null;
    }
  }

  private warn(issues: readonly ValueIssue[]): void {
    const code = issues.every((issue) => issue.code === 'url')
      ? warningCodes.urlUnsafe
      : warningCodes.metaUnfit;
    this.warnings.push({ code, message: describe(issues) });
  }

  /** Clears unsafe URLs in the rows of a repeater, so that the other values of the row stay. */
  private removeNestedUrls(field: FieldDefinition, issues: readonly ValueIssue[]): boolean {
    if (field.type !== 'repeater' || !issues.every(({ code }) => code === 'url')) return false;
    this.data[field.slug] = structuredClone(this.data[field.slug]);
    return issues.every(({ path }) => clearAt(this.data, path.split('.')));
  }
}

/** Sets the value at a path to null. @returns false when there is none, or it is null. */
function clearAt(data: unknown, path: readonly string[]): boolean {
  let container = data;
  for (const key of path.slice(0, -1)) container = memberOf(container, key);
  const last = path.at(-1);
  if (last === undefined || (memberOf(container, last) ?? null) === null) return false;
  (container as Record<string, unknown>)[last] = null;
  return true;
}

function memberOf(container: unknown, key: string): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key)) return undefined;
  return (container as Record<string, unknown>)[key];
}

const describe = (issues: readonly ValueIssue[]) =>
  issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
