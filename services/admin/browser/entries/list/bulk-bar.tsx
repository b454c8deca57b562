import { MoreHorizontal, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { IconButton } from '../../ui/icon-button.js';
import { Menu } from '../../ui/menu.js';
import { useNarrow } from '../../ui/use-media-query.js';
import { actionLabel } from './action-words.js';
import styles from './bulk-bar.module.css';
import { useCountText } from './count-text.js';
import { bulkActionsOf, type EntryAction } from './entry-actions.js';
import { useListContext } from './list-context.js';
import { actionIcons } from './row-menu.js';
import type { Selection } from './use-selection.js';

/** What can be done with the selected entries. */
export function BulkBar({
  selection,
  total,
  isTrash,
  onAction,
}: {
  selection: Selection;
  /** Number of entries that match. */
  total: number | undefined;
  isTrash: boolean;
  onAction: (action: EntryAction) => void;
}) {
  const t = useMessages();
  const { caller, isReadOnly } = useListContext();
  const isNarrow = useNarrow();
  const countText = useCountText();
  const { size } = selection.rows;
  if (size === 0) return null;
  const actions = bulkActionsOf({ isTrash }, caller);
  const canSelectAll = !selection.isOfAll && total !== undefined && total > size;
  return (
    <section aria-label={t('bulk.label')} className={styles['bar']}>
      <span role="status" className={styles['count']}>
        {selection.isOfAll
          ? t('bulk.allSelected', { count: countText(total ?? size) })
          : t('bulk.selected', { count: size })}
      </span>
      {canSelectAll && (
        <button type="button" className={styles['link']} onClick={selection.change.selectAll}>
          {t('bulk.selectAll', { count: countText(total) })}
        </button>
      )}
      <div className={styles['actions']}>
        {isNarrow ? (
          <ActionMenu actions={actions} isDisabled={isReadOnly} onAction={onAction} />
        ) : (
          actions.map((action) => (
            <Button
              key={action}
              isDisabled={isReadOnly}
              isDanger={action === 'trash' || action === 'delete'}
              onPress={() => onAction(action)}
            >
              {actionLabel(t, action)}
            </Button>
          ))
        )}
        <IconButton label={t('bulk.clear')} onPress={selection.change.clear}>
          <X aria-hidden size={18} />
        </IconButton>
      </div>
    </section>
  );
}

function ActionMenu({
  actions,
  isDisabled,
  onAction,
}: {
  actions: readonly EntryAction[];
  isDisabled: boolean;
  onAction: (action: EntryAction) => void;
}) {
  const t = useMessages();
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const entries = actions.map((action) => {
    const Icon = actionIcons[action];
    return {
      id: action,
      label: actionLabel(t, action),
      icon: <Icon aria-hidden size={16} />,
      isDanger: action === 'trash' || action === 'delete',
    };
  });
  return (
    <div ref={anchor}>
      <Button isDisabled={isDisabled || actions.length === 0} onPress={() => setOpen(true)}>
        <MoreHorizontal aria-hidden size={16} />
        {t('column.actions')}
      </Button>
      {isOpen && (
        <Menu
          label={t('bulk.label')}
          entries={entries}
          anchor={anchor}
          onAction={(id) => onAction(id as EntryAction)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
