import { columnType } from '@quire/content-model';
import { identifier } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { namingFields, type CollectionDefinition } from '../../schema/index.js';

/** A column that lists can be ordered by. */
export interface OrderColumn {
  sql: string;
  /** Its key in the row. */
  key: string;
  /** Its type. */
  cast: string;
  /** It has a value in every entry. */
  neverNull?: true;
  /** Its index has the nulls first, though it has none. */
  hasNullsFirstIndex?: true;
  /** No index has its nulls first. */
  hasSeparateNulls?: true;
  /** It has no index: the matching entries are sorted, all at once. */
  isUnindexed?: true;
  /** Its indexes begin with the status: a list of all statuses merges those of each. */
  isByStatus?: true;
}

const never = { neverNull: true, hasNullsFirstIndex: true } as const;
const systemOrder = new Map<string, OrderColumn>([
  ['createdAt', { sql: 'e.created_at', key: 'createdAt', cast: 'timestamptz', ...never, isByStatus: true }],
  ['updatedAt', { sql: 'e.updated_at', key: 'updatedAt', cast: 'timestamptz', ...never, isByStatus: true }],
  ['publishedAt', { sql: 'e.published_at', key: 'publishedAt', cast: 'timestamptz', isByStatus: true }],
  ['scheduledAt', { sql: 'e.scheduled_at', key: 'scheduledAt', cast: 'timestamptz', hasSeparateNulls: true }],
  // Entries outside the trash have none: the order is that of their ids.
  ['deletedAt', { sql: 'NULL::timestamptz', key: 'deletedAt', cast: 'timestamptz' }],
  // The unique index has the slugs in order; equal ones, of several locales, are few.
  ['slug', { sql: 'e.slug', key: 'slug', cast: 'text', hasSeparateNulls: true }],
  ['status', { sql: 'e.status', key: 'status', cast: 'text', neverNull: true }],
]);
const localeOrder: OrderColumn = {
  sql: 'e._locale',
  key: '_locale',
  cast: 'text',
  neverNull: true,
  isUnindexed: true,
};

/** Null in entries that are older than the column. */
const editedOrder: OrderColumn = {
  sql: 'e._edited_at',
  key: 'editedAt',
  cast: 'timestamptz',
  isByStatus: true,
};
/** Of entries in the trash. */
export const deletedOrder = {
  sql: 'e.deleted_at',
  key: 'deletedAt',
  cast: 'timestamptz',
  ...never,
} as const satisfies OrderColumn;

/**
 * @returns the column of `orderBy` in the admin panel: also the time of the last edit, staging included. In the trash
 *   only the time of the deletion has an index.
 * @throws as `orderColumn`
 */
export function panelOrderColumn(
  definition: CollectionDefinition,
  orderBy: string,
  { isTrash }: { isTrash: boolean },
): OrderColumn {
  if (isTrash && orderBy === 'deletedAt') return deletedOrder;
  const order = orderBy === 'editedAt' ? editedOrder : orderColumn(definition, orderBy);
  return isTrash ? { ...order, isUnindexed: true } : order;
}

/** @returns the column of `orderBy`. @throws QuireError VALIDATION_ERROR for a column without an index. */
export function orderColumn(definition: CollectionDefinition, orderBy: string): OrderColumn {
  const system = systemOrder.get(orderBy);
  if (system) return system;
  const field = definition.columns.find(({ slug }) => slug === orderBy);
  const isOrderable =
    field &&
    (field.indexed ||
      namingFields.includes(orderBy) ||
      [definition.titleField, definition.dateField].includes(orderBy));
  if (field && isOrderable && !['json', 'jsonb'].includes(columnType(field.type))) {
    return {
      sql: `e.${identifier(field.slug)}`,
      key: field.slug,
      cast: columnType(field.type),
      ...(field.indexed ? {} : { isUnindexed: true }),
    };
  }
  if (orderBy === 'locale') return localeOrder;
  throw invalidInput([
    {
      path: 'orderBy',
      message: `cannot order by '${orderBy}': not an indexed field of '${definition.slug}'`,
    },
  ]);
}
