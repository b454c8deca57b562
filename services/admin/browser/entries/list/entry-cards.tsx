import type { RefObject } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Checkbox } from '../../ui/checkbox.js';
import styles from './entry-cards.module.css';
import { LockMark, Time } from './entry-cell.js';
import { EntryTitle, MenuButton } from './entry-row.js';
import type { Row } from './entry-status.js';
import type { EntryListProps } from './entry-table.js';
import { useListContext } from './list-context.js';
import { StatusBadge } from './status-badge.js';

/** Height of a card in pixels, with the gap after it. */
export const cardHeight = 92;

/** The entries as cards, for narrow windows. @param props.isSelecting whether cards have checkboxes */
export function EntryCards(props: EntryListProps & { isSelecting: boolean }) {
  const { rows, selection, range, list, isStale, isSelecting, onOpenMenu } = props;
  const t = useMessages();
  const { collection } = useListContext();
  return (
    <ul
      ref={list as RefObject<HTMLUListElement>}
      className={styles['cards']}
      aria-label={t('list.table', { collection: collection.label })}
      data-stale={isStale || undefined}
      style={{
        paddingBlockStart: range.start * cardHeight,
        paddingBlockEnd: (rows.length - range.end) * cardHeight,
      }}
    >
      {rows.slice(range.start, range.end).map((row) => (
        <Card
          key={row.id}
          row={row}
          isSelecting={isSelecting}
          isSelected={selection.isOfAll || selection.rows.has(row.id)}
          onToggle={selection.change.toggle}
          onOpenMenu={onOpenMenu}
        />
      ))}
    </ul>
  );
}

function Card({
  row,
  isSelecting,
  isSelected,
  onToggle,
  onOpenMenu,
}: {
  row: Row;
  isSelecting: boolean;
  isSelected: boolean;
  onToggle: (row: Row) => void;
  onOpenMenu: (row: Row) => void;
}) {
  const t = useMessages();
  const { times } = useListContext();
  const title = row.title ?? row.slug ?? t('list.untitled');
  return (
    <li tabIndex={-1} data-entry={row.id} data-selected={isSelected || undefined} className={styles['card']}>
      {isSelecting && (
        <Checkbox isLabelHidden isChecked={isSelected} onChange={() => onToggle(row)}>
          {t('list.select', { title })}
        </Checkbox>
      )}
      <div className={styles['text']}>
        <span className={styles['title']}>
          <EntryTitle row={row} title={title} />
          {row.lock && <LockMark lock={row.lock} />}
        </span>
        <span className={styles['facts']}>
          <StatusBadge row={row} times={times} />
          <Time iso={row.editedAt} />
        </span>
      </div>
      <MenuButton row={row} title={title} onOpenMenu={onOpenMenu} />
    </li>
  );
}
