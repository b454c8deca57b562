import { Link } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { memo } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Checkbox } from '../../ui/checkbox.js';
import { EntryCell, LockMark, Thumbnail } from './entry-cell.js';
import type { Row } from './entry-status.js';
import styles from './entry-table.module.css';
import { useListContext } from './list-context.js';
import type { Column } from './list-columns.js';

/** What a row of a list is shown with. Functions are the same in each render, so that few rows render again. */
export interface EntryRowProps {
  row: Row;
  /** Position in the whole list, from 0. */
  index: number;
  columns: readonly Column[];
  hasImages: boolean;
  isSelected: boolean;
  onToggle: (row: Row) => void;
  onOpenMenu: (row: Row) => void;
}

/** An entry in the table. */
export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { row, index, columns, hasImages, isSelected, onToggle, onOpenMenu } = props;
  const t = useMessages();
  const title = row.title ?? row.slug ?? t('list.untitled');
  return (
    <tr
      tabIndex={-1}
      data-entry={row.id}
      data-selected={isSelected || undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
    >
      <td>
        <Checkbox isLabelHidden isChecked={isSelected} onChange={() => onToggle(row)}>
          {t('list.select', { title })}
        </Checkbox>
      </td>
      <th scope="row">
        <span className={styles['title']}>
          {hasImages &&
            (row.image ? <Thumbnail src={row.image.src} /> : <span className={styles['noImage']} />)}
          <EntryTitle row={row} title={title} />
          {row.lock && <LockMark lock={row.lock} />}
        </span>
      </th>
      {columns.map((column) => (
        <td key={column.id}>
          <EntryCell row={row} column={column} />
        </td>
      ))}
      <td>
        <MenuButton row={row} title={title} onOpenMenu={onOpenMenu} />
      </td>
    </tr>
  );
});

/** The title of an entry, which leads to the editor; one in the trash is restored first. */
export function EntryTitle({ row, title }: { row: Row; title: string }) {
  const { collection } = useListContext();
  const isUntitled = row.title === null || undefined;
  if (row.deletedAt !== undefined)
    return (
      <span title={title} data-untitled={isUntitled}>
        {title}
      </span>
    );
  return (
    <Link
      to="/content/$collection/$id"
      params={{ collection: collection.slug, id: row.id }}
      search={{}}
      title={title}
      data-untitled={isUntitled}
    >
      {title}
    </Link>
  );
}

/** Opens the menu of an entry. A plain button: a list has one in each of its rows. */
export function MenuButton({
  row,
  title,
  onOpenMenu,
}: {
  row: Row;
  title: string;
  onOpenMenu: (row: Row) => void;
}) {
  const t = useMessages();
  return (
    <button
      type="button"
      className={styles['menuButton']}
      aria-haspopup="menu"
      aria-label={t('list.actions', { title })}
      onClick={() => onOpenMenu(row)}
    >
      <MoreHorizontal aria-hidden size={18} />
    </button>
  );
}
