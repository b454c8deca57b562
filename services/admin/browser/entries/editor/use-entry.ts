import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { meQuery } from '../../api/client.js';
import { session as signIn } from '../../session/session-state.js';
import { invalidateLists } from '../list/list-queries.js';
import { invalidateUnsentTexts } from '../unsent-texts.js';
import type { EntrySession } from './entry-session.js';
import { openEntry, type OpenedEntry, type OpenOptions } from './open-entry.js';

/** An entry that is being opened, is open, or could not be. */
export type EntryState = { kind: 'opening' } | { kind: 'failed'; error: Error } | OpenedEntry;

/** Opens an entry while the component is shown. It stays open when its creation gives it an id. */
export function useEntry(options: Omit<OpenOptions, 'takesOver' | 'onYielded'>) {
  const { collection, draftId } = options;
  const client = useQueryClient();
  const [last, setLast] = useState<{ attempt: object; state: EntryState }>();
  /** Grows with each attempt to open the entry. */
  const [attempt, setAttempt] = useState({ count: 0, takesOver: false });
  const reopen = (takesOver = false) => setAttempt(({ count }) => ({ count: count + 1, takesOver }));
  const open = useEffectEvent((isTakenOver: () => void) =>
    openEntry({ ...options, takesOver: attempt.takesOver, onYielded: isTakenOver }),
  );
  useEffect(() => {
    let isCurrent = true;
    const { opened, close } = open(() => {
      if (isCurrent) reopen();
    });
    opened.then(
      (state) => isCurrent && setLast({ attempt, state }),
      (error: unknown) => isCurrent && setLast({ attempt, state: { kind: 'failed', error: error as Error } }),
    );
    return () => {
      isCurrent = false;
      void close().then(() => {
        void invalidateUnsentTexts(client);
        return invalidateLists(client, collection.slug);
      });
    };
  }, [attempt, client, collection.slug, draftId]);
  const state: EntryState = last?.attempt === attempt ? last.state : { kind: 'opening' };
  return { state, reopen };
}

/** Tells a session what happens to the page: hidden, left, connected again; and who is signed in. */
export function usePageEvents(entry: EntrySession): void {
  const client = useQueryClient();
  useEffect(() => {
    const follows = () => {
      const isVisible = document.visibilityState === 'visible';
      if (!isVisible) entry.flush();
      // Until the first edit the fields follow what others write.
      entry.presence.setVisible(
        isVisible && entry.saver.id !== undefined && entry.document.unsentFields().size === 0,
      );
    };
    const onLeave = () => {
      entry.flush();
      entry.lease?.release();
    };
    const onOnline = () => entry.saver.online();
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (entry.mayLose()) event.preventDefault();
    };
    follows();
    document.addEventListener('visibilitychange', follows);
    window.addEventListener('pagehide', onLeave);
    window.addEventListener('online', onOnline);
    window.addEventListener('beforeunload', onBeforeUnload);
    const reportUser = () => {
      const me = client.getQueryData(meQuery.queryKey);
      if (me && !signIn.isOver()) entry.saver.signedIn(me.id);
    };
    const unsubscribe = [signIn.subscribe(reportUser), client.getQueryCache().subscribe(reportUser)];
    return () => {
      document.removeEventListener('visibilitychange', follows);
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('online', onOnline);
      window.removeEventListener('beforeunload', onBeforeUnload);
      for (const each of unsubscribe) each();
    };
  }, [entry, client]);
}
