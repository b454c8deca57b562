/** A table with the names of its columns, in the order of its rows in a copy. */
export interface TableDefinition {
  name: string;
  columns: readonly string[];
  /** PostgreSQL empties it after a crash, and standby servers and physical backups do not have its rows. */
  isUnlogged: boolean;
}

/** A trigger, apart from the arguments of its function. */
export interface TriggerDefinition {
  /** The statement up to the parenthesis of the arguments. */
  text: string;
  /** Schema of the function; null for one of the same schema. */
  functionSchema: string | null;
  arguments: readonly string[];
}

/**
 * All parts of a schema, as statements that name no schema: they create the parts in the first schema of the search
 * path. It is plain JSON. Functions may name the schema in their bodies, which `schemaStatements` replaces.
 */
export interface SchemaDefinition {
  /** The schema that it was read from. */
  schema: string;
  tables: readonly TableDefinition[];
  /** Sequences behind identity columns. */
  sequences: readonly string[];
  createTables: readonly string[];
  createFunctions: readonly string[];
  /** Everything that is created after the rows: constraints, indexes, statistics, foreign keys. */
  createRules: readonly string[];
  triggers: readonly TriggerDefinition[];
}

/** Arguments as PostgreSQL writes them. */
export const argumentsText = (given: readonly string[]): string =>
  given.map((argument) => `'${argument.replaceAll("'", "''")}'`).join(', ');
