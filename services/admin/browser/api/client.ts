import { ApiError, createApiClient, isSignedOut } from '@quire/api-client';
import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { session } from '../session/session-state.js';

const maxRetries = 3;
const maxRetryDelayMs = 30_000;

export const api = createApiClient();

/** Queries are repeated after errors that may pass: not after those of the request itself. */
export function mayRetry(failureCount: number, error: unknown): boolean {
  const isOwnFault =
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return failureCount < maxRetries && !isOwnFault && !isSignedOut(error);
}

/** Milliseconds until the next attempt: what the API asks for, else 1, 2, 4 … seconds. */
export function retryDelayMs(attempt: number, error: unknown): number {
  const requested = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(requested ?? 1000 * 2 ** attempt, maxRetryDelayMs);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) session.end();
    },
  }),
  defaultOptions: { queries: { retry: mayRetry, retryDelay: retryDelayMs } },
});

/** The signed-in user. Read again whenever the window gets the focus: the session may have ended. */
export const meQuery = queryOptions({
  queryKey: ['getMe'],
  queryFn: ({ signal }) => api.call('getMe', { signal }),
  refetchOnWindowFocus: 'always',
});

/** Name, sign-in mode and structure of the site. */
export const manifestQuery = queryOptions({
  queryKey: ['getManifest'],
  queryFn: ({ signal }) => api.call('getManifest', { signal }),
  staleTime: 5 * 60_000,
});

/**
 * Whether this site signs users in, not an edge access proxy.
 * @param manifest undefined while it is loading: then true
 */
export function signsInHere(manifest: { authMode: string } | undefined): boolean {
  return manifest === undefined || manifest.authMode === 'passkey';
}
