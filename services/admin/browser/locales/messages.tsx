import {
  LocalizedStringDictionary,
  LocalizedStringFormatter,
  type LocalizedString,
} from '@internationalized/string';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { usePreferences } from '../preferences/preferences-store.js';
import en from './en.json';

export type MessageKey = keyof typeof en;
/** Formats the message of a key in the user's language. */
export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string;
type Catalogue = Record<string, LocalizedString>;

const english = 'en';
/** English is part of the panel, so that a text is always there. */
const loaders: Readonly<Record<string, () => Promise<{ default: object }>>> = {
  de: () => import('./de.json'),
  'en-XA': () => import('./en.json?pseudo'),
};

const Messages = createContext<Translate>(translatorOf(english, en as unknown as Catalogue));

function translatorOf(locale: string, catalogue: Catalogue): Translate {
  const formatter = new LocalizedStringFormatter(
    locale,
    new LocalizedStringDictionary({ [locale]: catalogue }, locale),
  );
  return (key, values) => formatter.format(key, values);
}

/** The first language of the browser that has a catalogue. */
function languageOfBrowser(): string {
  const wanted = navigator.languages.map((tag) => tag.split('-')[0] ?? '');
  return wanted.find((each) => each === english || (each in loaders && each !== 'en-XA')) ?? english;
}

/** Provides the texts of the selected language. Keeps the former ones until a catalogue is loaded. */
export function MessagesProvider({ children }: { children: ReactNode }) {
  const { language } = usePreferences();
  const wanted = language === 'system' ? languageOfBrowser() : language;
  const [loaded, setLoaded] = useState({ locale: english, catalogue: en as unknown as Catalogue });
  useEffect(() => {
    let isCurrent = true;
    const apply = (catalogue: object) => {
      if (isCurrent) setLoaded({ locale: wanted, catalogue: catalogue as Catalogue });
    };
    const load = loaders[wanted];
    if (load)
      load().then(
        (module) => apply(module.default),
        // A catalogue that cannot be loaded leaves the texts of the former language.
        () => undefined,
      );
    else apply(en);
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  const { locale, catalogue } = loaded;
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const translate = useMemo(() => translatorOf(locale, catalogue), [locale, catalogue]);
  return (
    <I18nProvider locale={locale}>
      <Messages value={translate}>{children}</Messages>
    </I18nProvider>
  );
}

/** @returns the function that formats messages in the user's language. */
export function useMessages(): Translate {
  return use(Messages);
}
