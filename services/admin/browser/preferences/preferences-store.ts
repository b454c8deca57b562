import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
/** Languages with a catalogue that users can select; `system` follows the browser. */
export const languages = ['system', 'en', 'de'] as const;
/** Heights of the rows of lists. */
export const densities = ['comfortable', 'compact'] as const;
/** Whether single letters are shortcuts: they get in the way of speech input (WCAG 2.1.4). */
export const shortcutChoices = ['on', 'off'] as const;
/** The pseudo-locale shows in tests which texts have no catalogue; it is not offered. */
const pseudoLocale = 'en-XA';

export interface Preferences {
  theme: (typeof themes)[number];
  language: (typeof languages)[number] | typeof pseudoLocale;
  density: (typeof densities)[number];
  shortcuts: (typeof shortcutChoices)[number];
}

const key = 'quire-panel-preferences';
const defaults: Preferences = {
  theme: 'system',
  language: 'system',
  density: 'comfortable',
  shortcuts: 'on',
};
const listeners = new Set<() => void>();
let current = read();

/** The preferences of this browser; unknown values are ignored, and so is a browser without storage. */
function read(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>;
    const theme = themes.find((each) => each === stored.theme) ?? defaults.theme;
    const language = [...languages, pseudoLocale].find((each) => each === stored.language);
    return {
      theme,
      language: (language as Preferences['language']) ?? defaults.language,
      density: densities.find((each) => each === stored.density) ?? defaults.density,
      shortcuts: shortcutChoices.find((each) => each === stored.shortcuts) ?? defaults.shortcuts,
    };
  } catch {
    return defaults;
  }
}

/** Sets a preference for all tabs of this browser. */
export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  replace({ ...current, [name]: value });
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // Without storage the preference is valid until the page is closed.
  }
}

/** Takes over the preferences that another tab sets. */
export function watchPreferences(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === key) replace(read());
  });
}

/** Applies the theme and the density to the page. */
export function applyTheme(): void {
  const { theme, density } = current;
  document.documentElement.dataset['density'] = density;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

function replace(preferences: Preferences): void {
  current = preferences;
  applyTheme();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
