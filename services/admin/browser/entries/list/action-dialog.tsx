import { useRef, useState } from 'react';
import { errorWords } from '../../api/error-words.js';
import { useMessages } from '../../locales/messages.js';
import { showToast } from '../../ui/toast-store.js';
import { ActionQuestion } from '../action-question.js';
import { ActionProgress } from './action-progress.js';
import { ActionResults } from './action-results.js';
import { actionLabel, titleOf } from './action-words.js';
import { collectPages, type ItemResult } from './bulk-queue.js';
import { useCountText } from './count-text.js';
import type { Row } from './entry-status.js';
import { useListContext } from './list-context.js';
import { maxPages, readPage } from './list-queries.js';
import type { ListQuery } from './list-query.js';
import type { ActionRequest, Run } from './use-entry-actions.js';

type Phase =
  | { name: 'confirm' }
  | { name: 'collecting'; count: number }
  | { name: 'running'; count: number; total: number }
  | { name: 'done'; results: readonly ItemResult<Row>[]; total: number };

/** Asks before an action, shows how far it is, and what did not succeed. */
export function ActionDialog({
  request: { action, rows },
  query,
  total,
  run,
  onClose,
}: {
  request: ActionRequest;
  /** Of the list, for all entries that match. */
  query: ListQuery;
  total: number | undefined;
  run: Run;
  onClose: (isDone: boolean) => void;
}) {
  const t = useMessages();
  const { collection } = useListContext();
  const [phase, setPhase] = useState<Phase>({ name: 'confirm' });
  const abort = useRef<AbortController>(undefined);

  async function start(scheduledAt?: string) {
    const { signal } = (abort.current = new AbortController());
    const affected =
      rows ??
      (await collectPages((cursor) => readPage(collection.slug, query, { cursor, signal }), {
        maxPages,
        signal,
        onProgress: (count) => setPhase({ name: 'collecting', count }),
      }));
    setPhase({ name: 'running', count: 0, total: affected.length });
    const results = await run({ action, ...(scheduledAt !== undefined && { scheduledAt }) }, affected, {
      signal,
      onResult: (count) => setPhase({ name: 'running', count, total: affected.length }),
    });
    const isWhole = results.length === affected.length && results.every(({ error }) => error === undefined);
    // What did not succeed with one entry is in the message of the action.
    if (isWhole || affected.length === 1) onClose(true);
    else setPhase({ name: 'done', results, total: affected.length });
  }

  /** The entries could not be found, or the user has stopped the search for them. */
  function fail(error: unknown) {
    if (!abort.current?.signal.aborted) showToast({ message: errorWords(t, error).text, isError: true });
    onClose(false);
  }

  switch (phase.name) {
    case 'confirm':
      return (
        <Question
          request={{ action, rows }}
          total={total}
          onConfirm={(scheduledAt) => void start(scheduledAt).catch(fail)}
          onClose={() => onClose(false)}
        />
      );
    case 'done':
      return <ActionResults action={action} {...phase} onClose={() => onClose(true)} />;
    default:
      return <ActionProgress action={action} {...phase} onStop={() => abort.current?.abort()} />;
  }
}

/** Names what the action is about: the title, or the number of entries. */
function Question({
  request: { action, rows },
  total,
  onConfirm,
  onClose,
}: {
  request: ActionRequest;
  total: number | undefined;
  onConfirm: (scheduledAt?: string) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const countText = useCountText();
  const { bootstrap } = useListContext();
  const [only] = rows?.length === 1 ? rows : [];
  const count = rows?.length ?? total ?? 0;
  const title = only
    ? t(`ask.${action}.one`, { title: titleOf(t, only) })
    : rows
      ? t(`ask.${action}`, { count })
      : t('ask.matching', { count: countText(count), action: actionLabel(t, action) });
  return (
    <ActionQuestion
      action={action}
      title={title}
      confirmLabel={actionLabel(t, action, only)}
      zone={bootstrap.site.timezone}
      former={only?.scheduledAt}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
