import { ErrorBox } from '../ui/error-box.js';

/**
 * In the place of a screen that could not be loaded or shown: for example because a new version of the panel has
 * replaced its files. The router reloads the page once by itself; unsent text is in the journal.
 */
export function ScreenError({ error }: { error: unknown }) {
  return (
    <ErrorBox
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => location.reload()}
    />
  );
}
