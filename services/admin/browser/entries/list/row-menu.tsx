import { CalendarClock, CalendarX, Copy, RotateCcw, Send, Trash2, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Menu } from '../../ui/menu.js';
import { actionLabel, problemText, titleOf } from './action-words.js';
import { actionsOf, type EntryAction } from './entry-actions.js';
import type { Row } from './entry-status.js';
import { useListContext } from './list-context.js';

/** The icons of actions. */
export const actionIcons: Readonly<Record<EntryAction, typeof Send>> = {
  publish: Send,
  schedule: CalendarClock,
  unschedule: CalendarX,
  unpublish: Undo2,
  duplicate: Copy,
  restore: RotateCcw,
  trash: Trash2,
  delete: Trash2,
};

/** The actions of an entry, at its button. What is not possible here and now says why. */
export function RowMenu({
  row,
  onAction,
  onClose,
}: {
  row: Row;
  onAction: (action: EntryAction, row: Row) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const { caller, isReadOnly } = useListContext();
  const anchor = useRef<Element | null>(
    document.querySelector(`[data-entry="${CSS.escape(row.id)}"] [aria-haspopup="menu"]`),
  );
  const entries = actionsOf(row, caller).map(({ action, problem }) => {
    const Icon = actionIcons[action];
    return {
      id: action,
      label: actionLabel(t, action, row),
      icon: <Icon aria-hidden size={16} />,
      problem: isReadOnly ? t('problem.network') : problem && problemText(t, problem, row),
      isDanger: action === 'trash' || action === 'delete',
    };
  });
  const none = { id: 'none', label: t('list.noActions'), problem: t('problem.forbidden') };
  return (
    <Menu
      label={t('list.actions', { title: titleOf(t, row) })}
      entries={entries.length > 0 ? entries : [none]}
      anchor={anchor}
      onAction={(id) => onAction(id as EntryAction, row)}
      onClose={onClose}
    />
  );
}
