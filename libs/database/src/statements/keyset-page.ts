import {
  decodeCursor,
  encodeCursor,
  keysetOrder,
  keysetRanges,
  type KeysetColumns,
  type KeysetPosition,
  type KeysetRange,
} from './cursor.js';
import type { Parameters } from './parameters.js';

/**
 * One page of a list in keyset order: condition and end of its statement, and the cursor of the next page. Nulls come
 * first ascending and last descending (decision 5).
 */
export class KeysetPage {
  private readonly position: KeysetPosition | undefined;

  /**
   * @param scope the binding of the cursors, see `cursorScope`
   * @throws QuireError INVALID_CURSOR for a cursor that this list with this order and these filters did not return
   */
  constructor(
    private readonly columns: KeysetColumns,
    private readonly scope: string,
    private readonly query: { cursor?: string | undefined; limit: number },
  ) {
    const { cursor } = query;
    this.position = cursor === undefined ? undefined : decodeCursor(scope, cursor, columns.cast);
  }

  get isFirst(): boolean {
    return this.position === undefined;
  }

  /** Condition of the WHERE clause: the rows after the cursor. */
  condition(parameters: Parameters): string {
    return `(${this.ranges(parameters)
      .map(({ condition }) => condition)
      .join(' OR ')})`;
  }

  /** The end of the statement. It reads one row more than the page has, to detect a further page. */
  order(parameters: Parameters): string {
    return `ORDER BY ${keysetOrder(this.columns)} LIMIT ${this.rows(parameters)}`;
  }

  /**
   * The rows after the cursor in parts, of a list whose column has nulls: the page is the first rows of their union. An
   * index serves each part, and none serves `condition` where it has OR.
   */
  ranges(parameters: Parameters): KeysetRange[] {
    return keysetRanges(this.columns, this.position, (value, cast) => parameters.add(value, cast));
  }

  /** SQL of the number of rows that are read: one more than the page has. */
  rows(parameters: Parameters): string {
    return parameters.add(this.rowCount);
  }

  /** The number of rows that are read: one more than the page has. */
  get rowCount(): number {
    return this.query.limit + 1;
  }

  /** The page of the selected rows. @param positionOf the position of a row in the order */
  cut<Row>(
    rows: readonly Row[],
    positionOf: (row: Row) => KeysetPosition,
  ): { items: Row[]; nextCursor?: string } {
    const items = rows.slice(0, this.query.limit);
    const last = items.at(-1);
    if (rows.length <= this.query.limit || last === undefined) return { items };
    return { items, nextCursor: encodeCursor(this.scope, positionOf(last), this.columns.from !== undefined) };
  }
}
