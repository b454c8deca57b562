import { useSyncExternalStore } from 'react';

/** Below this width lists are cards. */
const narrow = '(max-width: 47.99rem)';

/** Whether the window is narrow, as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
  );
}
