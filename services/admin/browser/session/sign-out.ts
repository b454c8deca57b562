import { useSyncExternalStore } from 'react';
import { api } from '../api/client.js';
import { links } from '../app/destinations.js';
import { journalStore } from '../entries/document/browser-journal.js';

/** A sign-out that waits for a decision about texts on this device. */
export interface PendingSignOut {
  userId: string;
  textCount: number;
}

let pending: PendingSignOut | undefined;
const listeners = new Set<() => void>();

function setPending(next: PendingSignOut | undefined): void {
  pending = next;
  for (const listener of listeners) listener();
}

/**
 * Signs the user out; asks first if texts on this device are not saved.
 * @throws ApiError
 */
export async function signOut(userId: string): Promise<void> {
  const texts = await journalStore.list(userId).catch(() => []);
  if (texts.length > 0) setPending({ userId, textCount: texts.length });
  else await endSession();
}

export const cancelSignOut = (): void => setPending(undefined);

/** Deletes the texts of a user on this device. */
export async function deleteTexts(userId: string): Promise<void> {
  for (const text of await journalStore.list(userId)) {
    for (const state of await journalStore.listStates(text)) await journalStore.deleteState(state);
    await journalStore.delete(text);
  }
}

/** Ends the session and opens the login page. @throws ApiError */
export async function endSession(): Promise<void> {
  await api.call('logout');
  location.assign(links.login);
}

export function usePendingSignOut(): PendingSignOut | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => pending,
  );
}
