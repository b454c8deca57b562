import { useMemo } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';

/** The API counts no further. */
const maxCount = 10_000;

/** Formats numbers of entries in the user's language: "10,000+" where the API has stopped counting. */
export function useCountText(): (count: number) => string {
  const { locale } = useLocale();
  return useMemo(() => {
    const number = new Intl.NumberFormat(locale);
    return (count) => `${number.format(count)}${count >= maxCount ? '+' : ''}`;
  }, [locale]);
}
