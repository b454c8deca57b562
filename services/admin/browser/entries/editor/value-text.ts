import type { Translate } from '../../locales/messages.js';

/** A value as a text to compare and to copy; other values than texts as JSON. */
export function valueText(t: Translate, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('conflict.nothing');
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  return JSON.stringify(value, undefined, 2);
}
