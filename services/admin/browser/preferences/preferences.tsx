import { useMessages, type MessageKey } from '../locales/messages.js';
import { Screen } from '../ui/screen.js';
import styles from './preferences.module.css';
import { languages, setPreference, themes, usePreferences } from './preferences-store.js';

/** The screen of the preferences of this browser. */
export function Preferences() {
  const t = useMessages();
  const { theme, language } = usePreferences();
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
    </Screen>
  );
}

function Choice<Value extends string>({
  legend,
  name,
  value,
  options,
  onChange,
}: {
  legend: string;
  name: string;
  value: string;
  options: readonly (readonly [Value, MessageKey])[];
  onChange: (value: Value) => void;
}) {
  const t = useMessages();
  return (
    <fieldset className={styles['choice']}>
      <legend>{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {t(label)}
        </label>
      ))}
    </fieldset>
  );
}
