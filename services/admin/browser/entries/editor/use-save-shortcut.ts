import { useEffect } from 'react';
import type { EntrySession } from './entry-session.js';

/** Saves with Ctrl+S, or Command+S on Apple's systems, instead of the page. */
export function useSaveShortcut({ saver, readOnly }: EntrySession): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isSave || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (readOnly === undefined) void saver.save();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [saver, readOnly]);
}
