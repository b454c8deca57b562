import { CircleAlert, CircleCheck } from 'lucide-react';
import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import styles from './action-results.module.css';
import { actionLabel, resultWords, titleOf } from './action-words.js';
import type { ItemResult } from './bulk-queue.js';
import type { EntryAction } from './entry-actions.js';
import type { Row } from './entry-status.js';

/** More results are a number only. */
const maxShown = 200;

/** How an action ended for each entry; those that did not succeed come first. */
export function ActionResults({
  action,
  results,
  total,
  onClose,
}: {
  action: EntryAction;
  results: readonly ItemResult<Row>[];
  /** Number of entries, with those that were not begun. */
  total: number;
  onClose: () => void;
}) {
  const t = useMessages();
  const failed = results.filter(({ error }) => error !== undefined);
  const done = results.filter(({ error }) => error === undefined);
  const shown = [...failed, ...done].slice(0, maxShown);
  return (
    <Dialog title={actionLabel(t, action)} onClose={onClose}>
      <p role="status">
        {t('results.summary', { done: done.length, failed: failed.length, left: total - results.length })}
      </p>
      <ul className={styles['results']} tabIndex={0} aria-label={t('results.list')}>
        {shown.map(({ item, error }) => (
          <Result key={item.id} row={item} error={error} />
        ))}
      </ul>
      {results.length > maxShown && <p>{t('results.more', { count: results.length - maxShown })}</p>}
      <div className="actions">
        <Button isMain onPress={onClose}>
          {t('dialog.close')}
        </Button>
      </div>
    </Dialog>
  );
}

function Result({ row, error }: { row: Row; error: unknown }) {
  const t = useMessages();
  const words = error === undefined ? undefined : resultWords(t, error, row);
  const Icon = words ? CircleAlert : CircleCheck;
  return (
    <li data-failed={words !== undefined || undefined}>
      <Icon aria-hidden size={16} />
      <span>
        <strong>{titleOf(t, row)}</strong>
        <span>
          {words?.text ?? t('results.done')} {words?.code !== undefined && <code>{words.code}</code>}{' '}
          {words?.requestId !== undefined && t('error.request', { requestId: words.requestId })}
        </span>
      </span>
    </li>
  );
}
