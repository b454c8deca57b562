import type { JsonSchema } from '@quire/operation';

const componentPath = '#/components/schemas/';
const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A name as a key of a type: in quotes where it is no identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/**
 * The TypeScript type of a JSON Schema of the OpenAPI document, on one line. Limits (lengths, patterns, ranges) have no
 * type. A schema without any keyword that has one is `unknown`.
 */
export function typeOf(schema: JsonSchema): string {
  const {
    $ref,
    const: literal,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    type,
  } = schema as {
    $ref?: string;
    const?: unknown;
    enum?: unknown[];
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
    type?: string | string[];
  };
  if ($ref !== undefined) return `Schemas[${JSON.stringify($ref.slice(componentPath.length))}]`;
  if ('const' in schema) return JSON.stringify(literal);
  if (values) return union(values.map((value) => JSON.stringify(value)));
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return union(alternatives.map(typeOf));
  if (allOf) return allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each })));
  if (type === 'array') return arrayOf(schema);
  if (type === 'object') return objectOf(schema);
  return primitives[type ?? ''] ?? 'unknown';
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function arrayOf(schema: JsonSchema): string {
  const { items, prefixItems } = schema as { items?: JsonSchema; prefixItems?: JsonSchema[] };
  if (prefixItems) {
    const rest = items ? `, ...(${typeOf(items)})[]` : '';
    return `[${prefixItems.map(typeOf).join(', ')}${rest}]`;
  }
  return items ? `(${typeOf(items)})[]` : 'unknown[]';
}

function objectOf(schema: JsonSchema): string {
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    additionalProperties?: JsonSchema | boolean;
  };
  const known = Object.entries(properties ?? {}).map(
    ([name, property]) => `${propertyKey(name)}${required.includes(name) ? '' : '?'}: ${typeOf(property)}`,
  );
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  if (known.length === 0) return `Record<string, ${others}>`;
  const object = `{ ${known.join('; ')} }`;
  return typeof additionalProperties === 'object' ? `${object} & Record<string, ${others}>` : object;
}
