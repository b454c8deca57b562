/** Names of the IANA database that look like the abbreviations that JavaScript accepts too. */
const threeLetterNames = new Set([
  'UTC',
  'GMT',
  'UCT',
  'CET',
  'EET',
  'MET',
  'WET',
  'EST',
  'HST',
  'MST',
  'PRC',
  'ROC',
  'ROK',
]);

/**
 * The timezone of an IANA name (decision 33).
 * @returns the name, in the usual spelling where only upper and lower case differ; null for an offset, an abbreviation
 * or anything else that is no IANA name.
 */
export function timezoneNamed(text: string): string | null {
  if (!/^[a-z][a-z0-9_+/-]*$/i.test(text)) return null;
  if (text.length === 3 && !threeLetterNames.has(text.toUpperCase())) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}
