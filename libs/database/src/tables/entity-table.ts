import { JsonText } from '@quire/values';
import { getMetadataArgsStorage } from 'typeorm';
import type { Queryable } from '../connection/sql.js';
import { identifier } from '../statements/identifiers.js';
import { Parameters } from '../statements/parameters.js';

/** The class of a TypeORM entity: the one declaration of a fixed table (design 6). */
export type EntityClass<Entity extends object = object> = new () => Entity;

type RequiredKeys<Entity> = {
  [Key in keyof Entity]-?: object extends Pick<Entity, Key> ? never : Key;
}[keyof Entity];

/** A row as statements return it: instants are ISO 8601 strings, relations (optional properties) are left out. */
export type Row<Entity> = {
  [Key in RequiredKeys<Entity>]: Entity[Key] extends Date
    ? string
    : Entity[Key] extends Date | null
      ? string | null
      : Entity[Key];
};

/** Values to write: `undefined` leaves a column unchanged, or at its default. Instants are Dates or ISO strings. */
export type RowInput<Entity> = {
  [Key in RequiredKeys<Entity>]?:
    | (Entity[Key] extends Date | null ? Entity[Key] | string : Entity[Key])
    | (Entity[Key] extends object | null ? JsonText : never)
    | undefined;
};

/** A column of an entity, for statements that are built of several. */
export interface EntityColumn {
  property: string;
  /** In the table: "theme_id". */
  name: string;
  /** Type of the column: "text[]". */
  type: string;
}

interface TableColumn extends EntityColumn {
  isJson: boolean;
  /** A function for one that the database computes. */
  defaultValue: unknown;
}

interface ColumnChoice<Entity> {
  only?: readonly RequiredKeys<Entity>[];
  except?: readonly RequiredKeys<Entity>[];
}

interface ColumnOptions<Entity> extends ColumnChoice<Entity> {
  of?: string;
}

/** The name of an entity's table. */
export function tableOf(entity: EntityClass): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (!table?.name) throw new Error(`${entity.name} is no entity with a table name`);
  return table.name;
}

/**
 * The select list of an entity's columns, each under its property's name: `"id", "theme_id" AS "themeId"`.
 * @param options.of alias of the table in the statement
 * @param options.only the properties to select; all unless given
 * @param options.except properties to leave out
 */
export function columnsOf<Entity extends object>(
  entity: EntityClass<Entity>,
  { of: alias, ...choice }: ColumnOptions<Entity> = {},
): string {
  return chosenColumns(entity, choice)
    .map((column) => selected(column, alias))
    .join(', ');
}

/**
 * The arguments of `json_build_object` for a row of an entity: `'id', n."id", 'themeId', n."theme_id"`. Instants are
 * ISO 8601 strings, as in statements that select them; PostgreSQL's own JSON writes them differently.
 * @param options as of `columnsOf`
 */
export function jsonPairsOf<Entity extends object>(
  entity: EntityClass<Entity>,
  { of: alias, ...choice }: ColumnOptions<Entity> = {},
): string {
  return chosenColumns(entity, choice)
    .map((column) => `'${column.property}', ${jsonValue(column, alias)}`)
    .join(', ');
}

/**
 * The select list of an entity's columns for `row_to_json`, each under its property's name: as `columnsOf`, but
 * instants are the ISO 8601 strings of `jsonPairsOf`.
 * @param options as of `columnsOf`
 */
export function jsonColumnsOf<Entity extends object>(
  entity: EntityClass<Entity>,
  { of: alias, ...choice }: ColumnOptions<Entity> = {},
): string {
  return chosenColumns(entity, choice)
    .map((column) => `${jsonValue(column, alias)} AS ${identifier(column.property)}`)
    .join(', ');
}

/** SQL of an instant as the ISO 8601 text of responses: PostgreSQL's own JSON writes instants differently. */
export function isoTextOf(instant: string): string {
  return `to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * A column of an entity.
 * @throws Error for a property that is no column
 */
export function columnOf(entity: EntityClass, property: string): EntityColumn {
  return findColumn(entity, property);
}

/**
 * The values of columns that an INSERT leaves out, by property name: constant defaults, or null. Columns whose default
 * the database computes are missing.
 */
export function defaultsOf(entity: EntityClass): Record<string, unknown> {
  return Object.fromEntries(
    tableColumns(entity)
      .filter(({ defaultValue }) => typeof defaultValue !== 'function')
      .map(({ property, defaultValue }) => [property, defaultValue ?? null]),
  );
}

/**
 * Inserts one row and returns it. Columns without a value get their defaults.
 * @param values by property name
 */
export async function insertRow<Entity extends object>(
  sql: Queryable,
  entity: EntityClass<Entity>,
  values: RowInput<Entity>,
): Promise<Row<Entity>> {
  const [row] = await insertRows(sql, entity, [values]);
  if (!row) throw new Error(`INSERT INTO ${tableOf(entity)} returned no row`);
  return row;
}

/**
 * Inserts rows with one statement and returns them in their order.
 * @param rows values by property name
 */
export async function insertRows<Entity extends object>(
  sql: Queryable,
  entity: EntityClass<Entity>,
  rows: readonly RowInput<Entity>[],
): Promise<Row<Entity>[]> {
  if (rows.length === 0) return [];
  const params = new Parameters();
  const given = rows.map((values) => new Map(givenColumns(entity, values)));
  const columns = tableColumns(entity).filter((column) => given.some((row) => row.has(column)));
  const tuples = given.map((row) => {
    const values = columns.map((column) =>
      row.has(column) ? addValue(column, row.get(column), params) : 'DEFAULT',
    );
    return `(${values.join(', ')})`;
  });
  return sql.query<Row<Entity>>(
    `INSERT INTO ${tableOf(entity)} (${columns.map(({ name }) => identifier(name)).join(', ')})
     VALUES ${tuples.join(', ')} RETURNING ${columnsOf(entity)}`,
    params.values,
  );
}

/**
 * The assignments of an UPDATE for the values that are given: `"title" = $1::text`.
 * @param params collects the values
 */
export function assignmentsOf<Entity extends object>(
  entity: EntityClass<Entity>,
  values: RowInput<Entity>,
  params: Parameters,
): string[] {
  return givenColumns(entity, values).map(
    ([column, value]) => `${identifier(column.name)} = ${addValue(column, value, params)}`,
  );
}

function givenColumns(entity: EntityClass, values: object): [TableColumn, unknown][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => [findColumn(entity, property), value]);
}

function addValue({ type, isJson }: TableColumn, value: unknown, params: Parameters): string {
  return params.add(isJson ? jsonOf(value) : value, type);
}

function jsonOf(value: unknown): string | null {
  if (value === null) return null;
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

function chosenColumns<Entity extends object>(
  entity: EntityClass<Entity>,
  { only, except = [] }: ColumnChoice<Entity>,
): readonly TableColumn[] {
  const excluded: readonly PropertyKey[] = except;
  return only
    ? only.map((property) => findColumn(entity, String(property)))
    : tableColumns(entity).filter(({ property }) => !excluded.includes(property));
}

function selected({ property, name }: TableColumn, alias: string | undefined): string {
  const column = qualified(name, alias);
  return name === property ? column : `${column} AS "${property}"`;
}

function jsonValue({ name, type }: TableColumn, alias: string | undefined): string {
  const column = qualified(name, alias);
  return type === 'timestamptz' ? isoTextOf(column) : column;
}

function qualified(name: string, alias: string | undefined): string {
  return alias === undefined ? identifier(name) : `${alias}.${identifier(name)}`;
}

const columnsByEntity = new WeakMap<EntityClass, readonly TableColumn[]>();

function findColumn(entity: EntityClass, property: string): TableColumn {
  const column = tableColumns(entity).find((candidate) => candidate.property === property);
  if (!column) throw new Error(`${entity.name}.${property} is no column`);
  return column;
}

function tableColumns(entity: EntityClass): readonly TableColumn[] {
  let columns = columnsByEntity.get(entity);
  if (!columns) {
    columns = getMetadataArgsStorage()
      .columns.filter(({ target }) => target === entity)
      .map(({ propertyName, options: { name = propertyName, type, array, default: defaultValue } }) => ({
        property: propertyName,
        name,
        type: `${String(type)}${array === true ? '[]' : ''}`,
        isJson: type === 'json' || type === 'jsonb',
        defaultValue,
      }));
    columnsByEntity.set(entity, columns);
  }
  return columns;
}
