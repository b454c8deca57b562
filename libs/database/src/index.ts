export { Database, type DatabaseOptions, type SchemaOptions } from './connection/database.js';
export {
  hasSqlState,
  isConnectionLost,
  isUnavailable,
  orWhenReadOnly,
  sqlState,
  translateConflict,
  type DatabaseFailure,
} from './connection/failures.js';
export { LazyDatabase } from './connection/lazy-database.js';
export { setUpConnection, UnsupportedPoolerError, type PoolerMode } from './connection/pooler.js';
export {
  afterCommit,
  beginSnapshot,
  beginStableRead,
  type Queryable,
  type Statement,
  type Transaction,
  type TransactionalDatabase,
} from './connection/sql.js';
export { currentTrace, setsTrace } from './connection/trace-setting.js';
export { schemaDrift } from './migrations/drift.js';
export { createFromBaseline, readBaseline } from './migrations/baseline.js';
export { migrate, type Migration } from './migrations/migrate.js';
export {
  copyRows,
  readRows,
  readSequences,
  writeRows,
  writeSequences,
  type SequenceValue,
} from './schema-definition/copy-rows.js';
export { readSchemaDefinition } from './schema-definition/read-schema-definition.js';
export type {
  SchemaDefinition,
  TableDefinition,
  TriggerDefinition,
} from './schema-definition/schema-definition.js';
export {
  schemaStatements,
  type NewSchema,
  type SchemaStatements,
} from './schema-definition/schema-statements.js';
export { allowLongStatements, inSchemaSnapshot } from './schema-definition/schema-snapshot.js';
export { UnsupportedSchemaError } from './schema-definition/unsupported-parts.js';
export { cursorScope, decodeCursor, encodeCursor, type KeysetPosition } from './statements/cursor.js';
export { boundedName, identifier, likeContaining, likeStarting, literal } from './statements/identifiers.js';
export { KeysetPage } from './statements/keyset-page.js';
export { Parameters } from './statements/parameters.js';
export {
  assignmentsOf,
  columnOf,
  columnsOf,
  defaultsOf,
  insertRow,
  insertRows,
  isoTextOf,
  jsonColumnsOf,
  jsonPairsOf,
  tableOf,
  type EntityClass,
  type EntityColumn,
  type Row,
  type RowInput,
} from './tables/entity-table.js';
