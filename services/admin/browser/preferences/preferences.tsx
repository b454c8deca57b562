import { useMessages, type MessageKey } from '../locales/messages.js';
import { Screen } from '../ui/screen.js';
import styles from './preferences.module.css';
import {
  densities,
  languages,
  setPreference,
  shortcutChoices,
  themes,
  usePreferences,
} from './preferences-store.js';

/** The screen of the preferences of this browser. */
export function Preferences() {
  const t = useMessages();
  const { theme, language, density, shortcuts } = usePreferences();
  return (
    <Screen title={t('nav.preferences')}>
      <p>{t('preferences.explanation')}</p>
      <Choice
        legend={t('preferences.theme')}
        name="theme"
        value={theme}
        options={themes.map((value) => [value, `preferences.theme.${value}`])}
        onChange={(value) => setPreference('theme', value)}
      />
      <Choice
        legend={t('preferences.language')}
        name="language"
        value={language}
        options={languages.map((value) => [value, `preferences.language.${value}`])}
        onChange={(value) => setPreference('language', value)}
      />
      <Choice
        legend={t('preferences.density')}
        name="density"
        value={density}
        options={densities.map((value) => [value, `preferences.density.${value}`])}
        onChange={(value) => setPreference('density', value)}
      />
      <Choice
        legend={t('preferences.shortcuts')}
        name="shortcuts"
        hint={t('preferences.shortcuts.hint')}
        value={shortcuts}
        options={shortcutChoices.map((value) => [value, `preferences.shortcuts.${value}`])}
        onChange={(value) => setPreference('shortcuts', value)}
      />
    </Screen>
  );
}

function Choice<Value extends string>({
  legend,
  name,
  hint,
  value,
  options,
  onChange,
}: {
  legend: string;
  name: string;
  hint?: string;
  value: string;
  options: readonly (readonly [Value, MessageKey])[];
  onChange: (value: Value) => void;
}) {
  const t = useMessages();
  return (
    <fieldset className={styles['choice']}>
      <legend>{legend}</legend>
      {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
      {options.map(([option, label]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {t(label)}
        </label>
      ))}
    </fieldset>
  );
}
