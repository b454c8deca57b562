import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { errorWords, sentenceOf } from '../../api/error-words.js';
import { useMessages } from '../../locales/messages.js';
import { showToast } from '../../ui/toast-store.js';
import type { TransitionResult } from '../document/saver.js';
import { invalidateLists } from '../list/list-queries.js';
import { useEditorContext, useFieldNames } from './editor-context.js';
import type { EntrySession } from './entry-session.js';

/** What the editor does with an entry beside saving it. */
export type EditorAction =
  'publish' | 'schedule' | 'unschedule' | 'unpublish' | 'discard' | 'duplicate' | 'trash';

type Result = TransitionResult<unknown>;

/** Runs an action with the open entry, after everything typed is saved, and says in a message how it ended. */
export function useEntryAction(session: EntrySession) {
  const t = useMessages();
  const client = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const { collection } = useEditorContext();
  const leave = useLeave(session);
  const namesOf = useFieldNames();

  const send = (action: EditorAction, scheduledAt: string | undefined): Promise<Result> =>
    action === 'duplicate' || action === 'trash' ? leave(action) : session.transition(action, scheduledAt);

  async function run(action: EditorAction, scheduledAt?: string): Promise<void> {
    setRunning(true);
    try {
      const result = await send(action, scheduledAt);
      if (result.done) showToast({ message: t(`editor.done.${action}`) });
      else {
        const fields = namesOf(result.fields);
        showToast({ message: t(`editor.notDone.${result.reason}`, { fields }), isError: true });
      }
    } catch (error) {
      showToast({ message: sentenceOf(errorWords(t, error)), isError: true });
    }
    setRunning(false);
    await invalidateLists(client, collection.slug);
  }
  return { run, isRunning };
}

/** Actions after which another screen is shown: the copy, or the list. */
function useLeave({ saver }: EntrySession) {
  const navigate = useNavigate();
  const { collection } = useEditorContext();
  const { slug } = collection;
  return (action: 'duplicate' | 'trash'): Promise<Result> =>
    saver.transition(async (id) => {
      const address = { params: { collection: slug, id } };
      if (action === 'duplicate') {
        const { item } = await api.call('duplicateContent', address);
        await navigate({
          to: '/content/$collection/$id',
          params: { collection: slug, id: item.id },
          search: {},
        });
      } else {
        await api.call('deleteContent', address);
        await navigate({ to: '/content/$collection', params: { collection: slug }, search: {} });
      }
      return {};
    });
}
