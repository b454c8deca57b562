import { useMessages } from '../../locales/messages.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { actionLabel } from '../list/action-words.js';
import { useScheduleTime } from '../schedule-time.js';
import { useEditorContext } from './editor-context.js';
import type { EntryFacts } from './entry-facts.js';
import type { EditorAction } from './use-entry-action.js';

/** Asks before an action with the entry, and for the time of a schedule. */
export function PublishDialog({
  action,
  facts,
  onConfirm,
  onClose,
}: {
  action: EditorAction;
  facts: EntryFacts;
  onConfirm: (scheduledAt?: string) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const { bootstrap } = useEditorContext();
  const { input, scheduledAt } = useScheduleTime(bootstrap.site.timezone, facts.scheduledAt);
  const isSchedule = action === 'schedule';
  return (
    <ConfirmDialog
      title={t(`editor.ask.${action}`)}
      confirmLabel={action === 'discard' ? t('action.discard') : actionLabel(t, action, facts)}
      isDanger={action === 'trash' || action === 'discard'}
      isDisabled={isSchedule && scheduledAt === undefined}
      onConfirm={() => onConfirm(isSchedule ? scheduledAt : undefined)}
      onClose={onClose}
    >
      <p>{t(`explain.${action}`)}</p>
      {isSchedule && input}
    </ConfirmDialog>
  );
}
