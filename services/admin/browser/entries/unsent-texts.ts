import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { journalStore } from './document/browser-journal.js';

const name = 'unsentTexts';

/** Texts of a user on this device that the site does not have; none where the browser refuses storage. */
export function unsentTextsQuery(userId: string) {
  return queryOptions({
    queryKey: [name, userId],
    queryFn: () => journalStore.list(userId).catch(() => []),
    // The journal is in the browser, and may have changed whenever a screen is opened.
    networkMode: 'always',
    gcTime: 0,
  });
}

/** Lets the texts be read again: an entry was closed. */
export function invalidateUnsentTexts(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [name] });
}
