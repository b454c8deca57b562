import { useMessages } from '../locales/messages.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';

const defaultRows = 3;
/** Share of the longest text from which its length is shown. */
const counterShare = 0.8;

/** A text: of one line, of several lines, a link or a slug. */
export function TextInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, lang, autoFocus } = props;
  const { type } = field;
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const isProse = type === 'string' || type === 'text';
  const shared = {
    value: text,
    readOnly: isReadOnly,
    autoFocus,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === '' ? null : target.value),
    ...(isProse ? { dir: 'auto', lang } : { dir: 'ltr', spellCheck: false }),
  };
  return (
    <FieldFrame {...props} hint={useCounter(field, text)}>
      {(control) =>
        type === 'text' ? (
          <textarea {...control} {...shared} rows={rowsOf(field)} />
        ) : (
          <input {...control} {...shared} type="text" inputMode={type === 'url' ? 'url' : 'text'} />
        )
      }
    </FieldFrame>
  );
}

function rowsOf({ options }: FieldInputProps['field']): number {
  const rows = options?.['rows'];
  return typeof rows === 'number' && rows > 0 ? Math.min(rows, 40) : defaultRows;
}

/** How much of the longest text is used, once most of it is. */
function useCounter({ validation }: FieldInputProps['field'], text: string): string | undefined {
  const t = useMessages();
  const limit = validation?.['maxLength'];
  if (typeof limit !== 'number' || text.length < limit * counterShare) return undefined;
  return t('field.length', { count: text.length, limit });
}
