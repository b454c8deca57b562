import { useSyncExternalStore } from 'react';

/** A message about something that has happened. */
export interface Toast {
  id: number;
  message: string;
  /** An error stays until it is dismissed. */
  isError?: boolean;
  action?: { label: string; run: () => void };
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message, for ten seconds unless it is an error. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  replace([...toasts, { ...toast, id: lastId }]);
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => toasts,
  );
}
