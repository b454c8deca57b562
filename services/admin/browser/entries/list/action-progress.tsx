import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Progress } from '../../ui/progress.js';
import { actionLabel } from './action-words.js';
import type { EntryAction } from './entry-actions.js';

/** How far an action with several entries is. It stays until it is done or stopped. */
export function ActionProgress({
  action,
  count,
  total,
  onStop,
}: {
  action: EntryAction;
  count: number;
  /** Undefined while the entries are being found. */
  total?: number;
  onStop: () => void;
}) {
  const t = useMessages();
  const label =
    total === undefined ? t('progress.collecting', { count }) : t('progress.running', { count, total });
  return (
    <Dialog title={actionLabel(t, action)}>
      <Progress label={label} value={count} max={total} />
      <div className="actions">
        <Button onPress={onStop}>{t('progress.stop')}</Button>
      </div>
    </Dialog>
  );
}
