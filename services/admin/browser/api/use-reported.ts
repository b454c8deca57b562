import { useCallback } from 'react';
import { errorWords, sentenceOf } from './error-words.js';
import { useMessages } from '../locales/messages.js';
import { showToast } from '../ui/toast-store.js';

/** Reports the error of work that nothing waits for. */
export function useReported(): (work: Promise<unknown>) => void {
  const t = useMessages();
  return useCallback(
    (work) =>
      void work.catch((error: unknown) => {
        showToast({ message: sentenceOf(errorWords(t, error)), isError: true });
      }),
    [t],
  );
}
