import { allowsMultiple, localProvider, maxIndexedBytes, validateValues } from '@quire/content-model';
import { isDeeperThan, packageLimits } from '@quire/site-package';
import { isAllowedSeedUrl, normaliseDatetime } from '@quire/values';
import type { PackageCollection, PackageField } from './package-schema.js';
import type { RecordFault } from './parse-record.js';

type Values = Readonly<Record<string, unknown>>;

/** What the values of an entry or a revision have. */
export interface CheckedValues {
  /** Their paths begin with the slug of the field. */
  faults: RecordFault[];
  /** Number of media values of other providers. */
  externalMedia: number;
}

/** Faults of stored values that pages must not render (decision 38). Other rules of fields do not hold for them. */
const unsafeCodes = new Set(['url']);

/**
 * Checks that the columns of a collection can have the values, and that links in them are safe. Rules that normal
 * writes apply beside (required, limits, patterns, choices) do not count: a site may have values from before a rule.
 * @param isWhole whether all fields must have a value or null, as in entries; revisions may also have values of former
 *   fields
 */
export function checkValues(
  collection: PackageCollection,
  values: Values,
  { isWhole }: { isWhole: boolean },
): CheckedValues {
  const faults = storageFaults(collection, values, isWhole);
  const { issues, media } = checkLinks(collection, values);
  faults.push(...issues);
  return { faults, externalMedia: media };
}

function storageFaults(collection: PackageCollection, values: Values, isWhole: boolean): RecordFault[] {
  const faults: RecordFault[] = [];
  for (const [slug, value] of Object.entries(values)) {
    const field = collection.columns.get(slug);
    if (field) {
      const fault = value === null ? undefined : columnFault(field, value);
      if (fault) faults.push({ ...fault, path: slug });
    } else if (isWhole && !collection.ignored.has(slug)) {
      faults.push({ ...violation('A value belongs to no field of its collection'), path: slug });
    }
  }
  if (!isWhole) return faults;
  for (const slug of collection.columns.keys())
    if (!Object.hasOwn(values, slug))
      faults.push({ ...violation('A field has neither a value nor null'), path: slug });
  return faults;
}

function columnFault({ definition, column }: PackageField, value: unknown): RecordFault | undefined {
  switch (column) {
    case 'text':
      return allowsMultiple(definition) ? idListFault(value) : textFault(definition, value);
    case 'smallint':
      return typeof value === 'boolean' ? undefined : violation('A boolean field has another value');
    case 'double precision':
      return typeof value === 'number' ? undefined : violation('A number field has another value');
    case 'bigint':
      return integerFault(value);
    case 'timestamptz(3)':
      return isInstant(value)
        ? undefined
        : violation('A datetime field has no instant in UTC with milliseconds');
    case 'json':
      return jsonTextFault(value);
    case 'jsonb':
      return undefined;
  }
}

function textFault({ type, indexed }: PackageField['definition'], value: unknown): RecordFault | undefined {
  if (typeof value !== 'string') return violation(`A ${type} field has no text`);
  // A scheme-less address remains as it is; an empty text links nowhere.
  if (type === 'url' && value !== '' && !isAllowedSeedUrl(value))
    return violation('A url field has an unsafe URL');
  if (indexed && Buffer.byteLength(value) > maxIndexedBytes)
    return violation('A text of an indexed field is too long for its index');
  return undefined;
}

function idListFault(value: unknown): RecordFault | undefined {
  const isList = Array.isArray(value) && value.every((id) => typeof id === 'string');
  if (!isList) return violation('A reference field has no list of ids');
  const isReadable = value.length === 1 ? !storedList.test(String(value[0])) : !value.some(isEscaped);
  return isReadable ? undefined : violation('A reference field has an id that its list cannot have');
}

/** JSON escapes these characters. Lists with escapes are not read back as they are written. */
const isEscaped = (id: string) => /["\\\p{Cc}]/u.test(id);
/** An id that would be read as a list. */
const storedList = /^\[.*\]$/s;

function integerFault(value: unknown): RecordFault | undefined {
  if (typeof value !== 'number') return violation('An integer field has another value');
  if (Number.isSafeInteger(value)) return undefined;
  return Number.isInteger(value)
    ? { code: 'integer_out_of_range', message: 'An integer is beyond the range of its field' }
    : violation('An integer field has a fraction');
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && normaliseDatetime(value) === value;
}

function jsonTextFault(value: unknown): RecordFault | undefined {
  const noText = violation('A json field has no JSON text');
  if (typeof value !== 'string') return noText;
  try {
    // The stack of the database's parser is limited.
    return isDeeperThan(JSON.parse(value), packageLimits.jsonDepth)
      ? { code: 'limit_exceeded', message: 'A JSON text is nested more deeply than the format allows' }
      : undefined;
  } catch {
    return noText;
  }
}

function checkLinks(
  { linking, linkingSlugs }: PackageCollection,
  values: Values,
): { issues: RecordFault[]; media: number } {
  const present = linkingSlugs.filter((slug) => (values[slug] ?? null) !== null);
  if (present.length === 0) return { issues: [], media: 0 };
  const checked = Object.fromEntries(present.map((slug) => [slug, values[slug]]));
  const { issues, media } = validateValues(linking, checked, 'update', { origin: 'seed' });
  return {
    issues: issues
      .filter(({ code }) => unsafeCodes.has(code))
      .map(({ path, message }) => ({ ...violation(`A value has an unsafe URL: it ${message}`), path })),
    media: media.filter(({ value }) => value['provider'] !== localProvider).length,
  };
}

function violation(message: string): RecordFault {
  return { code: 'value_constraint_violation', message };
}
