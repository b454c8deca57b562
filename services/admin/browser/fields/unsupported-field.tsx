import { useMessages } from '../locales/messages.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';
import styles from './field-frame.module.css';
import { summaryOf } from './value-summary.js';

/** The value of a field that the panel has no input for. It is never changed here. */
export function UneditableField(props: FieldInputProps) {
  const { field, value } = props;
  const t = useMessages();
  const summary = summaryOf(field, value);
  const text = summary && ('count' in summary ? t('field.items', { count: summary.count }) : summary.text);
  return (
    <FieldFrame {...props} isGroup hint={t('field.uneditable')}>
      {() => (
        <>
          <p className={styles['summary']}>{text ?? t('field.none')}</p>
          {summary && (
            <details>
              <summary>{t('field.showValue')}</summary>
              <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
            </details>
          )}
        </>
      )}
    </FieldFrame>
  );
}
