import { ArrowDown, ArrowUp } from 'lucide-react';
import type { RefObject } from 'react';
import { useMessages, type MessageKey } from '../../locales/messages.js';
import { Checkbox } from '../../ui/checkbox.js';
import { titleFieldOf } from '../../api/bootstrap.js';
import { EntryRow } from './entry-row.js';
import type { Row } from './entry-status.js';
import styles from './entry-table.module.css';
import { orderOf, type Column, type ListOrder } from './list-columns.js';
import { useListContext } from './list-context.js';
import type { Selection } from './use-selection.js';
import type { WindowedRange } from './use-window.js';

/** Widths of columns in rem. */
const widths: Readonly<Record<string, number>> = { _status: 17, _locale: 8, _author: 10, _bylines: 10 };
const defaultWidth = 9;
const titleWidth = 18;
const controlWidth = 3;

/** What both forms of a list are shown with: the table, and the cards of narrow windows. */
export interface EntryListProps {
  rows: readonly Row[];
  columns: readonly Column[];
  order: ListOrder;
  /** Number of entries that match, if it is known. */
  total: number | undefined;
  selection: Selection;
  range: WindowedRange;
  list: RefObject<HTMLElement | null>;
  rowHeight: number;
  isStale: boolean;
  onSort: (orderBy: string) => void;
  onOpenMenu: (row: Row) => void;
}

/** The entries as a table. Rows that are out of sight are replaced with space. */
export function EntryTable(props: EntryListProps) {
  const { rows, columns, total, selection, range, list, rowHeight, isStale, onOpenMenu } = props;
  const t = useMessages();
  const { collection } = useListContext();
  const hasImages = collection.fields.some(({ type }) => type === 'image');
  const allWidths = columns.map(({ id }) => widths[id] ?? defaultWidth);
  const minWidth = allWidths.reduce((sum, width) => sum + width, titleWidth + 2 * controlWidth);
  const columnCount = columns.length + 3;
  return (
    <table
      className={styles['table']}
      style={{ minWidth: `${minWidth}rem` }}
      aria-label={t('list.table', { collection: collection.label })}
      aria-rowcount={total === undefined ? -1 : total + 1}
      data-stale={isStale || undefined}
    >
      <colgroup>
        <col style={{ width: `${controlWidth}rem` }} />
        <col />
        {allWidths.map((width, index) => (
          <col key={columns[index]?.id} style={{ width: `${width}rem` }} />
        ))}
        <col style={{ width: `${controlWidth}rem` }} />
      </colgroup>
      <TableHead {...props} />
      <tbody ref={list as RefObject<HTMLTableSectionElement>}>
        <Space rows={range.start} rowHeight={rowHeight} columnCount={columnCount} />
        {rows.slice(range.start, range.end).map((row, offset) => (
          <EntryRow
            key={row.id}
            row={row}
            index={range.start + offset}
            columns={columns}
            hasImages={hasImages}
            isSelected={selection.isOfAll || selection.rows.has(row.id)}
            onToggle={selection.change.toggle}
            onOpenMenu={onOpenMenu}
          />
        ))}
        <Space rows={rows.length - range.end} rowHeight={rowHeight} columnCount={columnCount} />
      </tbody>
    </table>
  );
}

function Space({ rows, rowHeight, columnCount }: { rows: number; rowHeight: number; columnCount: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden>
      <td className={styles['space']} colSpan={columnCount} style={{ height: rows * rowHeight }} />
    </tr>
  );
}

function TableHead({ rows, columns, order, selection, onSort }: EntryListProps) {
  const t = useMessages();
  const { collection } = useListContext();
  const { size } = selection.rows;
  const isAll = selection.isOfAll || (size > 0 && rows.every(({ id }) => selection.rows.has(id)));
  return (
    <thead>
      <tr aria-rowindex={1}>
        <td>
          <Checkbox
            isLabelHidden
            isChecked={isAll}
            isIndeterminate={size > 0 && !isAll}
            isDisabled={rows.length === 0}
            onChange={() => (isAll ? selection.change.clear() : selection.change.select(rows))}
          >
            {t('list.selectLoaded')}
          </Checkbox>
        </td>
        <Header
          label={t('column.title')}
          orderBy={titleFieldOf(collection)?.slug}
          order={order}
          onSort={onSort}
        />
        {columns.map((column) => (
          <Header
            key={column.id}
            label={column.field?.label ?? t(`column.${column.id.slice(1)}` as MessageKey)}
            orderBy={orderOf(column)}
            order={order}
            onSort={onSort}
          />
        ))}
        <td>
          <span className="visually-hidden">{t('column.actions')}</span>
        </td>
      </tr>
    </thead>
  );
}

/** The head of a column, with a button for its order where it has one. */
function Header({
  label,
  orderBy,
  order,
  onSort,
}: {
  label: string;
  orderBy: string | undefined;
  order: ListOrder;
  onSort: (orderBy: string) => void;
}) {
  if (orderBy === undefined) return <th scope="col">{label}</th>;
  const isCurrent = order.orderBy === orderBy;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  const direction = order.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isCurrent ? direction : 'none'}>
      <button type="button" onClick={() => onSort(orderBy)}>
        {label}
        {isCurrent && <Arrow aria-hidden size={14} />}
      </button>
    </th>
  );
}
