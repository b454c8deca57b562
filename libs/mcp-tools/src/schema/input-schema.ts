import { z } from 'zod';

export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Keywords that some clients reject, and that the service checks anyway. */
const droppedKeywords = new Set(['$schema', 'id', 'propertyNames', 'exclusiveMinimum', 'exclusiveMaximum']);
/** Keywords whose values are not schemas. */
const valueKeywords = new Set(['default', 'const', 'enum', 'examples']);
/** Above it, a pattern is longer than what it explains: those of the library for times. */
const maxPatternLength = 200;
/** Keywords that break the whole list of tools in some clients. */
const forbiddenKeywords = ['$ref', '$defs', 'prefixItems'];
const combinators = ['anyOf', 'oneOf', 'allOf', 'not', 'if'];
const typeKeywords = ['type', 'enum', 'const', ...combinators];
const notAnArray: readonly JsonSchema[] = ['string', 'number', 'boolean', 'object', 'null'].map((type) => ({
  type,
}));
const anyValue: readonly JsonSchema[] = [...notAnArray, { type: 'array', items: { anyOf: notAnArray } }];
/** Names of properties that all clients accept. */
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;
const lookaround = /\(\?[=!<]/;

/**
 * JSON Schema of a tool's arguments in the form that all clients accept (contract 17): the root is an object with
 * properties, nothing refers to definitions, and a nullable value is a nested `anyOf`.
 * @throws Error for a schema without such a form, or an argument without a description.
 */
export function inputSchemaOf(tool: string, input: z.ZodObject): JsonSchema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const root = clean(tool, schema) as JsonSchema;
  const found = combinators.find((keyword) => keyword in root);
  if (found !== undefined) throw new Error(`${tool}: the root of the schema has ${found}`);
  const { properties = {}, required } = root;
  for (const [name, property] of Object.entries(properties as Record<string, JsonSchema>))
    if (typeof property.description !== 'string') throw new Error(`${tool}: ${name} has no description`);
  return {
    type: 'object',
    properties,
    ...(required === undefined ? {} : { required }),
    ...(schema.additionalProperties === false ? { additionalProperties: false } : {}),
  };
}

function clean(tool: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => clean(tool, member));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema;
  const forbidden = forbiddenKeywords.find((keyword) => keyword in schema);
  if (forbidden !== undefined) throw new Error(`${tool}: the schema has ${forbidden}`);
  const entries = Object.entries(withInclusiveBounds(schema)).filter((entry) => !isDropped(...entry));
  const cleaned = Object.fromEntries(
    entries.map(([keyword, member]) => {
      if (valueKeywords.has(keyword)) return [keyword, member];
      return [
        keyword,
        keyword === 'properties' ? cleanProperties(tool, member as object) : clean(tool, member),
      ];
    }),
  );
  if (cleaned.type === 'array' && !('items' in cleaned)) throw new Error(`${tool}: an array without items`);
  return withNullAsAlternative(cleaned);
}

function cleanProperties(tool: string, properties: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!propertyName.test(name)) throw new Error(`${tool}: clients reject the name ${name}`);
      return [name, withType(clean(tool, schema) as JsonSchema)];
    }),
  );
}

/** A value of any type as alternatives: clients reject a property without a type. */
function withType(schema: JsonSchema): JsonSchema {
  return typeKeywords.some((keyword) => keyword in schema) ? schema : { anyOf: anyValue, ...schema };
}

/** Bounds of integers as `minimum` and `maximum`, which all clients know. */
function withInclusiveBounds(schema: JsonSchema): JsonSchema {
  const { type, exclusiveMinimum, exclusiveMaximum } = schema;
  if (type !== 'integer') return schema;
  return {
    ...schema,
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum + 1 } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum - 1 } : {}),
  };
}

/** Also bounds of JavaScript's integers, schemas of any value, and patterns that some clients cannot compile. */
function isDropped(keyword: string, value: unknown): boolean {
  if (droppedKeywords.has(keyword)) return true;
  if (keyword === 'minimum' || keyword === 'maximum')
    return Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
  if (keyword === 'pattern') {
    const pattern = value as string;
    return pattern.length > maxPatternLength || lookaround.test(pattern);
  }
  // The service rejects further properties of a nested object by name.
  return keyword === 'additionalProperties' && (value === false || Object.keys(value ?? {}).length === 0);
}

/** `type: [string, null]` as alternatives. */
function withNullAsAlternative({ type, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  const { description, default: initial, ...rest } = schema;
  return {
    anyOf: type.map((name: string) => (name === 'null' ? { type: name } : { type: name, ...rest })),
    ...(description === undefined ? {} : { description }),
    ...(initial === undefined ? {} : { default: initial }),
  };
}
