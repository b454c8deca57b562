import { useEffect, useRef } from 'react';
import { usePreferences } from '../../preferences/preferences-store.js';

/** Elements with keys of their own. */
const typing =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

/** The shortcuts of a list. */
export interface ListKeys {
  search: () => void;
  next: () => void;
  previous: () => void;
  toggle: () => void;
  open: () => void;
  openMenu: () => void;
  create: () => void;
  clear: () => void;
}

/**
 * Calls what a key is for; not while the user types, and not in dialogs and menus. Letters can be switched off in the
 * preferences.
 */
export function useListKeys(keys: ListKeys): void {
  const { shortcuts } = usePreferences();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const letters: Record<string, keyof ListKeys> =
      shortcuts === 'on'
        ? { '/': 'search', j: 'next', k: 'previous', x: 'toggle', m: 'openMenu', n: 'create' }
        : {};
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(typing)) return;
      const isOnRow = target?.matches('[data-entry]') ?? false;
      const name = isOnRow ? { ...letters, Enter: 'open' as const }[event.key] : letters[event.key];
      const found = event.key === 'Escape' ? 'clear' : name;
      if (!found) return;
      if (found !== 'clear') event.preventDefault();
      latest.current[found]();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [shortcuts]);
}
