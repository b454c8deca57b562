import { jsonColumnsOf, identifier, tableOf, type EntityClass } from '@quire/database';
import { recordDefinitions, type RecordKind } from '@quire/site-package';

/** The records of one kind as SQL. */
export interface RecordSource {
  kind: RecordKind;
  /** SELECT of the records: columns named as the properties of the kind. */
  select: string;
}

interface SourceOptions {
  /** SQL condition over the table, whose alias is `t`. */
  where?: string;
  /** SQL of properties that the entity does not have as they are, by name. */
  computed?: Readonly<Record<string, string>>;
}

/**
 * The records of an entity's table. Properties of the record are properties of the entity unless they are computed;
 * other columns of the entity stay with the site.
 * @throws Error for a property that the entity lacks
 */
export function recordsOf<Entity extends object>(
  kind: RecordKind,
  entity: EntityClass<Entity>,
  { where = 'true', computed = {} }: SourceOptions = {},
): RecordSource {
  const columns = Object.keys(recordDefinitions[kind].schema.shape).map((property) =>
    Object.hasOwn(computed, property)
      ? `${computed[property]} AS ${identifier(property)}`
      : jsonColumnsOf(entity, { of: 't', only: [property as never] }),
  );
  return { kind, select: `SELECT ${columns.join(', ')} FROM ${tableOf(entity)} t WHERE ${where}` };
}
