import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

export const errorEnvelopeId = 'ErrorEnvelope';

const errorEnvelopeSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

const components = new Map<string, JsonSchema>();
const componentPath = '#/components/schemas/';
const definitionPath = '#/$defs/';

/**
 * JSON Schema of a zod schema for OpenAPI 3.1. Schemas with `.meta({ id })` become named components and are referenced;
 * an id is used for one direction only, because defaults make input and output differ.
 */
export function inlineSchema(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
  const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: direction,
    unrepresentable: 'any',
    // Responses are objects that may get more keys; a closed object would make every addition a breaking change.
    override: ({ jsonSchema }) => {
      if (direction === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [id, definition] of Object.entries($defs ?? {})) components.set(id, clean(definition));
  const { id } = root as { id?: unknown };
  if (typeof id === 'string') {
    components.set(id, clean(root));
    return componentReference(id);
  }
  return clean(root);
}

/** JSON Schema of the success envelope around a result. */
export function successEnvelope(response: z.ZodType): JsonSchema {
  return {
    type: 'object',
    properties: { success: { type: 'boolean', enum: [true] }, data: inlineSchema(response, 'output') },
    required: ['success', 'data'],
    additionalProperties: false,
  };
}

export function componentReference(id: string): JsonSchema {
  return { $ref: componentPath + id };
}

/** The properties of an object schema, for parameters. */
export function objectProperties(
  schema: z.ZodType,
): { name: string; schema: JsonSchema; required: boolean }[] {
  const { properties = {}, required = [] } = inlineSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    required: required.includes(name),
  }));
}

/** The named components that a document references, directly or through others. */
export function referredComponents(document: unknown): Record<string, JsonSchema> {
  components.set(errorEnvelopeId, clean(z.toJSONSchema(errorEnvelopeSchema) as JsonSchema));
  const found: Record<string, JsonSchema> = {};
  const look = (text: string) => {
    for (const [, id] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const definition = id === undefined ? undefined : components.get(id);
      if (id === undefined || !definition || id in found) continue;
      found[id] = definition;
      look(JSON.stringify(definition));
    }
  };
  look(JSON.stringify(document));
  return Object.fromEntries(Object.entries(found).sort(([left], [right]) => left.localeCompare(right)));
}

function clean(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === '$schema' || (key === 'id' && typeof value === 'string')) return undefined;
      if (key === '$ref' && typeof value === 'string') return value.replace(definitionPath, componentPath);
      return value;
    }),
  ) as JsonSchema;
}
