import { Check, Lock, Minus } from 'lucide-react';
import { useMessages } from '../../locales/messages.js';
import type { Row } from './entry-status.js';
import styles from './entry-table.module.css';
import type { Column, SystemColumn } from './list-columns.js';
import { useListContext } from './list-context.js';
import { StatusBadge } from './status-badge.js';

type CellValue = Row['columns'][string];

/** The value of an entry in a column. */
export function EntryCell({ row, column: { id, field } }: { row: Row; column: Column }) {
  if (field) return <FieldValue type={field.type} value={row.columns[id] ?? null} />;
  return <SystemValue id={id as SystemColumn} row={row} />;
}

function SystemValue({ id, row }: { id: SystemColumn; row: Row }) {
  const { times } = useListContext();
  switch (id) {
    case '_status':
      return <StatusBadge row={row} times={times} />;
    case '_locale':
      return <Locales row={row} />;
    case '_author':
      return <Author author={row.author} />;
    case '_bylines':
      return row.bylines.length > 0 ? row.bylines.join(', ') : '–';
    case '_edited':
      return <Time iso={row.editedAt} />;
    case '_created':
      return <Time iso={row.createdAt} />;
    case '_published':
      return <Time iso={row.publishedAt} />;
    case '_deleted':
      return <Time iso={row.deletedAt ?? null} />;
  }
}

/** The author by name. A user need not have one, nor has a deleted one. */
function Author({ author }: { author: Row['author'] }) {
  const t = useMessages();
  const { caller } = useListContext();
  if (!author) return '–';
  return author.name ?? t(author.id === caller.userId ? 'list.you' : 'list.unknownUser');
}

/** How long ago, and on hover when exactly. */
export function Time({ iso }: { iso: string | null }) {
  const { times } = useListContext();
  if (iso === null) return '–';
  return (
    <time dateTime={iso} title={times.exact(iso)}>
      {times.relative(iso)}
    </time>
  );
}

/** The locale of an entry, and those of its translations. */
export function Locales({ row: { locale, translations } }: { row: Row }) {
  const t = useMessages();
  const others = translations.map((each) => each.locale).join(', ');
  return (
    <>
      {locale}
      {others !== '' && (
        <span className={styles['muted']}>
          {' '}
          <span className="visually-hidden">{t('list.translations')}</span> + {others}
        </span>
      )}
    </>
  );
}

function FieldValue({ type, value }: { type: string; value: CellValue }) {
  const t = useMessages();
  const { times } = useListContext();
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean')
    return value ? (
      <>
        <Check aria-hidden size={16} /> {t('value.yes')}
      </>
    ) : (
      <>
        <Minus aria-hidden size={16} /> {t('value.no')}
      </>
    );
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return <Thumbnail src={value.src} alt={value.alt ?? ''} />;
  if (type === 'datetime') return times.moment(String(value));
  return String(value);
}

/** A small picture. The policy of the page allows those of this site only. */
export function Thumbnail({ src, alt = '' }: { src: string; alt?: string }) {
  if (!URL.canParse(src, location.href) || new URL(src, location.href).origin !== location.origin)
    return null;
  return <img src={src} alt={alt} loading="lazy" decoding="async" className={styles['thumbnail']} />;
}

/** Who is editing an entry. */
export function LockMark({ lock }: { lock: NonNullable<Row['lock']> }) {
  const t = useMessages();
  const { caller } = useListContext();
  const name = lock.userName ?? t('list.unknownUser');
  const text = lock.userId === caller.userId ? t('list.lockedByYou') : t('list.lockedBy', { name });
  return (
    <span className={styles['lock']} title={text}>
      <Lock aria-hidden size={14} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
