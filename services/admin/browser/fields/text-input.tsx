import { useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';

const defaultRows = 3;
const maxRows = 40;
/** Share of the longest text from which its length is shown. */
const counterShare = 0.8;

/** A text: of one line, of several lines, a link or a slug. */
export function TextInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, lang, autoFocus } = props;
  const { type } = field;
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const hasLines = useHasLines(text) || type === 'text';
  const isProse = type === 'string' || type === 'text';
  const shared = {
    value: text,
    readOnly: isReadOnly,
    autoFocus,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === '' ? null : target.value),
    ...(isProse ? { dir: 'auto', lang, spellCheck: true } : { dir: 'ltr', spellCheck: false }),
  };
  const limit = limitOf(field);
  return (
    <FieldFrame {...props} hint={useCounter(text, limit)}>
      {(control) => (
        <>
          {hasLines ? (
            <textarea {...control} {...shared} {...rowsOf(field)} />
          ) : (
            <input {...control} {...shared} type="text" inputMode={type === 'url' ? 'url' : 'text'} />
          )}
          <Excess count={text.length - limit} />
        </>
      )}
    </FieldFrame>
  );
}

/** Whether a text has had several lines: an input of one line would drop the line breaks. */
function useHasLines(text: string): boolean {
  const [hasLines, setHasLines] = useState(false);
  const hasNow = text.includes('\n');
  if (hasNow && !hasLines) setHasLines(true);
  return hasLines || hasNow;
}

/** The smallest height. It is a style, too: an input that grows with its text ignores its rows. */
function rowsOf({ type, options }: FieldInputProps['field']) {
  const wanted = options?.['rows'];
  const fallback = type === 'text' ? defaultRows : 1;
  const rows = typeof wanted === 'number' && wanted >= 1 ? Math.min(wanted, maxRows) : fallback;
  return { rows, style: { minHeight: `calc(${rows} * 1lh + 2 * var(--space-2) + 2px)` } };
}

/** The length of the longest text, as the server counts it. */
function limitOf({ validation }: FieldInputProps['field']): number {
  const limit = validation?.['maxLength'];
  return typeof limit === 'number' ? limit : Infinity;
}

/** How much of the longest text is used, once most of it is. */
function useCounter(text: string, limit: number): string | undefined {
  const t = useMessages();
  return text !== '' && text.length >= limit * counterShare
    ? t('field.length', { count: text.length, limit })
    : undefined;
}

/** Says by how much a text is too long, as it is typed. */
function Excess({ count }: { count: number }) {
  const t = useMessages();
  if (count === -Infinity) return null;
  return (
    <span aria-live="polite" className="visually-hidden">
      {count > 0 && t('field.tooLong', { count })}
    </span>
  );
}
