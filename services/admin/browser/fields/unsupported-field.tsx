import { useMessages } from '../locales/messages.js';
import { FieldFrame } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';
import { summaryOf } from './value-summary.js';

/** The value of a field that the panel has no input for. It is never changed here. */
export function UnsupportedField(props: FieldInputProps) {
  const { field, value } = props;
  const t = useMessages();
  const summary = summaryOf(field, value);
  return (
    <FieldFrame {...props} kind="group" hint={t('field.unsupported')}>
      {() => (
        <>
          {value === null && <p className={styles['summary']}>{t('field.none')}</p>}
          {summary && (
            <p className={styles['summary']} dir="auto">
              {'count' in summary ? t('field.items', { count: summary.count }) : summary.text}
            </p>
          )}
          {typeof value === 'object' && value !== null && (
            <details className={styles['details']}>
              <summary>{t('field.showValue')}</summary>
              <pre tabIndex={0} dir="ltr">
                {JSON.stringify(value, undefined, 2)}
              </pre>
            </details>
          )}
        </>
      )}
    </FieldFrame>
  );
}
