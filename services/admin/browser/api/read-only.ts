import { ApiError } from '@quire/api-client';
import { useSyncExternalStore } from 'react';

/** Time after which the site may accept writes again. */
const assumedMs = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether an error means that the site accepts no writes for a while: an import or an activation is running. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503 && /^(?:TRANSFER|MEDIA_USAGE)_/.test(error.code);
}

/** Tells the shell whether the site accepts writes, as the last write has found. */
export function reportWrite(error?: unknown): void {
  const wasReadOnly = timer !== undefined;
  clearTimeout(timer);
  timer = isReadOnlyError(error) ? setTimeout(() => reportWrite(), assumedMs) : undefined;
  if (wasReadOnly !== (timer !== undefined)) for (const listener of listeners) listener();
}

/** Whether the last write has found the site read-only. */
export function useReadOnly(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => timer !== undefined,
  );
}
