import { argumentsText, type SchemaDefinition, type TriggerDefinition } from './schema-definition.js';

export interface NewSchema {
  /** Its name, the only one in the search path when the statements run. */
  schema: string;
  /** The arguments of a trigger's function in this schema (default: those of the definition). */
  argumentsOf?: (trigger: TriggerDefinition) => readonly string[];
}

/** Statements in their order. Rows are copied between the two lists: no trigger fires, and indexes are built once. */
export interface SchemaStatements {
  beforeRows: string[];
  afterRows: string[];
}

/** The statements that create the parts of a definition in an empty schema, which exists. */
export function schemaStatements(
  definition: SchemaDefinition,
  { schema, argumentsOf = (trigger) => trigger.arguments }: NewSchema,
): SchemaStatements {
  return {
    beforeRows: [...definition.createTables],
    afterRows: [
      // Functions may call each other in any order.
      'SET LOCAL check_function_bodies = off',
      ...definition.createFunctions.map((text) => text.replaceAll(`"${definition.schema}".`, `"${schema}".`)),
      ...definition.createRules,
      ...definition.triggers.map((trigger) => `${trigger.text}(${argumentsText(argumentsOf(trigger))})`),
    ],
  };
}
