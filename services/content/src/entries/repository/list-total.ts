import { literal } from '@quire/database';
import { entryStatuses, storedCount, type CollectionDefinition } from '../../schema/index.js';
import { isLive } from './entry-states.js';
import { dateColumns, fromEntries, type ListConditions, type ListFilters } from './list-conditions.js';

/** Up to so many matching entries are counted where no stored count tells their number. */
export const maxTotal = 1_000;

/**
 * SQL of the number of entries of a list: a stored count, if the list filters by no more than status and locale. For
 * others the entries are counted: null where they are more than `limit`, or where more than `limit` must be read to
 * tell. Ranges of indexes that the entries are in are counted first: a short one bounds what is read.
 */
export function listTotal(
  definition: CollectionDefinition,
  { dateField }: Pick<ListFilters, 'dateField'>,
  conditions: ListConditions,
  limit: number,
): string {
  if (definition.isCounted && conditions.counts) return storedCount(definition.table, conditions.counts);
  const counted = (rows: string) => `(SELECT count(*) FROM (${rows} LIMIT ${limit + 1}) n)`;
  const all = `SELECT 1 FROM ${fromEntries(definition)} WHERE ${conditions.all.join(' AND ')}`;
  const ranges = conditions.state
    ? [rangeOfState(definition, conditions.state)]
    : [...rangesOfFilters(definition, conditions), rangeOfEntries(definition, dateField, conditions)];
  const whole = ranges.find(({ filters }) => filters === conditions.all.length - 1);
  if (whole) return `nullif(${counted(whole.rows)}, ${limit + 1})`;
  const isShort = ranges.map(({ rows }) => `${counted(rows)} <= ${limit}`).join(' OR ');
  return `CASE WHEN ${isShort} THEN nullif(${counted(all)}, ${limit + 1}) END`;
}

/** SQL of the rows of a range of an index, and the number of filters that all of its entries meet. */
interface IndexRange {
  rows: string;
  filters: number;
}

function rangeOfState(
  definition: CollectionDefinition,
  { rows, conditions, order }: NonNullable<ListConditions['state']>,
): IndexRange {
  const where = [rows, ...conditions].join(' AND ');
  return {
    rows: `SELECT 1 FROM ${fromEntries(definition)} WHERE ${where} ORDER BY ${order}`,
    filters: conditions.length,
  };
}

/** Entries in the order of an index, which makes PostgreSQL use it. */
const entries = (definition: CollectionDefinition, conditions: string[], order: string) =>
  `SELECT 1 FROM ${fromEntries(definition)} WHERE ${[isLive, ...conditions].join(' AND ')} ORDER BY ${order}`;

/** The range of the filter that is likely to leave the fewest entries, if there is one with an index of its own. */
function rangesOfFilters(
  definition: CollectionDefinition,
  { credits, terms: [term], fields: [field] }: ListConditions,
): IndexRange[] {
  // Rows of other tables are at least as many as the groups of entries that they belong to.
  if (credits !== undefined) return [{ rows: `SELECT 1 FROM entry_bylines c WHERE ${credits}`, filters: 0 }];
  if (term !== undefined) {
    const ofCollection = `x.collection = ${literal(definition.slug)}`;
    return [{ rows: `SELECT 1 FROM entry_terms x WHERE ${term} AND ${ofCollection}`, filters: 0 }];
  }
  if (!field) return [];
  const rows = entries(definition, [field.condition], `${field.column} NULLS FIRST, e.id`);
  return [{ rows, filters: 1 }];
}

/** The range of the filters that the indexes of lists begin with. */
function rangeOfEntries(
  definition: CollectionDefinition,
  dateField: ListFilters['dateField'],
  { status, locale, author, dates }: ListConditions,
): IndexRange {
  const range = (conditions: string[], order: string) => ({
    rows: entries(definition, conditions, order),
    filters: conditions.length,
  });
  const byCreation = 'e.status, e.created_at NULLS FIRST, e.id';
  if (author.length > 0) return range([...author, ...status], `e.author_id, ${byCreation}`);
  if (dateField !== undefined && dates.length > 0) {
    const conditions = [...status, ...locale, ...dates];
    const order = `${dateColumns[dateField]} NULLS FIRST, e.id`;
    if (status.length > 0) return range(conditions, order);
    const ofStatuses = entryStatuses.map(
      (name) => `(${entries(definition, [`e.status = ${literal(name)}`, ...conditions], order)})`,
    );
    return { rows: ofStatuses.join(' UNION ALL '), filters: conditions.length };
  }
  if (locale.length > 0) return range([...status, ...locale], `lower(e._locale), ${byCreation}`);
  return range(status, 'e.status, e.id');
}
