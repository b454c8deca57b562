import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { sentenceOf } from '../../api/error-words.js';
import { useMessages, type Translate } from '../../locales/messages.js';
import { showToast } from '../../ui/toast-store.js';
import { resultWords, SkippedError, titleOf } from './action-words.js';
import { runForEach, type ItemResult } from './bulk-queue.js';
import { problemOf, type EntryAction } from './entry-actions.js';
import { runAction, type ActionInput } from './entry-operations.js';
import type { Row } from './entry-status.js';
import { useListContext } from './list-context.js';
import { invalidateLists } from './list-queries.js';

/** An action that waits for the user: for a confirmation or a time. */
export interface ActionRequest {
  action: EntryAction;
  /** The entries; undefined for all that match. */
  rows: readonly Row[] | undefined;
}

/** Actions that need neither for one entry. */
const immediate: ReadonlySet<EntryAction> = new Set(['publish', 'unschedule', 'duplicate', 'restore']);

/** Runs actions with entries, and says in a message how they ended. */
export function useEntryActions() {
  const [request, setRequest] = useState<ActionRequest>();
  const run = useRun();
  const start = useCallback(
    (action: EntryAction, rows: readonly Row[] | undefined) => {
      if (rows?.length === 1 && immediate.has(action)) void run({ action }, rows);
      else setRequest({ action, rows });
    },
    [run],
  );
  return { request, start, run, close: () => setRequest(undefined) };
}

/** Runs an action for entries. @returns the results; all succeeded ones have been announced */
export type Run = (
  input: Omit<ActionInput, 'collection'>,
  rows: readonly Row[],
  options?: { signal?: AbortSignal; onResult?: (count: number) => void },
) => Promise<ItemResult<Row>[]>;

function useRun(): Run {
  const t = useMessages();
  const queries = useQueryClient();
  const { collection, caller } = useListContext();
  const { slug } = collection;
  return useCallback(
    async (input, rows, options = {}) => {
      const results = await runForEach(
        rows,
        (row) => {
          const problem = problemOf(input.action, row, caller);
          if (problem) throw new SkippedError(problem);
          return runAction({ ...input, collection: slug }, row);
        },
        options,
      );
      const done = results.filter(({ error }) => error === undefined).map(({ item }) => item);
      const undo = () => void undoTrash(t, slug, done, () => invalidateLists(queries, slug));
      announce(t, input.action, results, undo);
      await invalidateLists(queries, slug);
      return results;
    },
    [t, queries, slug, caller],
  );
}

/** Shows how an action ended; what did not succeed of several entries is in the dialog. */
function announce(
  t: Translate,
  action: EntryAction,
  results: readonly ItemResult<Row>[],
  undo: () => void,
): void {
  const [first] = results;
  const done = results.filter(({ error }) => error === undefined);
  if (results.length === 1 && first?.error !== undefined) {
    const sentence = sentenceOf(resultWords(t, first.error, first.item));
    showToast({ message: `${titleOf(t, first.item)}: ${sentence}`, isError: true });
  }
  if (done.length === 0) return;
  showToast({
    message: t(`done.${action}`, { count: done.length, title: first ? titleOf(t, first.item) : '' }),
    ...(action === 'trash' && { action: { label: t('action.undo'), run: undo } }),
  });
}

/** Brings entries back from the trash: as drafts, even those that were published. */
async function undoTrash(
  t: Translate,
  collection: string,
  rows: readonly Row[],
  refresh: () => Promise<void>,
): Promise<void> {
  const results = await runForEach(rows, (row) => runAction({ collection, action: 'restore' }, row));
  const failed = results.find(({ error }) => error !== undefined);
  const count = results.filter(({ error }) => error === undefined).length;
  if (count > 0) showToast({ message: t('done.restore', { count }) });
  if (failed)
    showToast({
      message: `${titleOf(t, failed.item)}: ${resultWords(t, failed.error, failed.item).text}`,
      isError: true,
    });
  await refresh();
}
