import { packageJsonSchema, type RecordKind, type SiteRecord } from '@quire/site-package';

/** What the schemas of records use of JSON Schema. */
interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  pattern?: string;
  minimum?: number;
  minLength?: number;
}

/** Schemas by kind, generated when a record is built first. */
let schemas: Record<string, JsonSchema> | undefined;
/** Texts for properties of a fixed form: an instant, and a hash. */
const formattedTexts = ['2026-01-02T03:04:05.678Z', 'a'.repeat(64)];

/**
 * A valid record of a kind. Properties that are not given are null where the kind allows it, else the first value of
 * an enumeration, `x`, 1, false, an empty list or object. References and keys are `x`, so most have to be given.
 */
export function recordOf<Kind extends RecordKind>(
  kind: Kind,
  properties: Partial<SiteRecord<Kind>> = {},
): SiteRecord<Kind> {
  schemas ??= (packageJsonSchema() as { $defs: Record<string, JsonSchema> }).$defs;
  const { properties: propertySchemas = {}, required = [] } = schemas[kind] ?? {};
  const defaults = required.map((property) => [property, valueOf(propertySchemas[property] ?? {})] as const);
  return { ...(Object.fromEntries(defaults) as SiteRecord<Kind>), ...properties };
}

function valueOf(schema: JsonSchema): unknown {
  const { anyOf: alternatives = [], enum: values, const: only, pattern } = schema;
  const types = [schema.type ?? []].flat();
  if (types.includes('null') || alternatives.some(({ type }) => type === 'null')) return null;
  if (only !== undefined) return only;
  if (values) return values[0];
  if (alternatives[0]) return valueOf(alternatives[0]);
  switch (types[0]) {
    case 'string':
      return pattern === undefined
        ? 'x'
        : (formattedTexts.find((text) => new RegExp(pattern).test(text)) ?? 'x');
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    default:
      return {};
  }
}
