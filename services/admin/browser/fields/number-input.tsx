import { useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useMessages } from '../locales/messages.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';
import { isAmbiguous, readNumber, writeNumber } from './number-text.js';

/** A number. What is no number is kept as the text that was typed. */
export function NumberInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, autoFocus } = props;
  const t = useMessages();
  const { locale } = useLocale();
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  // The text is the user's as long as it means the value: "1.0" does not become "1" under the caret.
  const text = typed && Object.is(typed.value, value) ? typed.text : writeNumber(value, locale);
  const range = useRange(field.validation, locale);
  const hint = isAmbiguous(text, locale)
    ? t('field.readAs', { number: writeNumber(readNumber(text, locale), locale) })
    : range;
  return (
    <FieldFrame {...props} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="text"
          dir="ltr"
          // The keys for whole numbers have no minus sign on some phones.
          inputMode={field.type === 'integer' && isNeverNegative(field.validation) ? 'numeric' : 'decimal'}
          autoComplete="off"
          spellCheck={false}
          value={text}
          readOnly={isReadOnly}
          autoFocus={autoFocus}
          onChange={({ target }) => {
            const next = readNumber(target.value, locale);
            setTyped({ text: target.value, value: next });
            onChange(next);
          }}
        />
      )}
    </FieldFrame>
  );
}

function isNeverNegative(validation: Record<string, unknown> | null): boolean {
  const min = validation?.['min'];
  return typeof min === 'number' && min >= 0;
}

/** The smallest and the largest number of the field, as far as it has them. */
function useRange(validation: Record<string, unknown> | null, locale: string): string | undefined {
  const t = useMessages();
  const [min, max] = [validation?.['min'], validation?.['max']];
  const values = { min: writeNumber(min, locale), max: writeNumber(max, locale) };
  if (typeof min === 'number' && typeof max === 'number') return t('field.range', values);
  if (typeof min === 'number') return t('field.min', values);
  return typeof max === 'number' ? t('field.max', values) : undefined;
}
