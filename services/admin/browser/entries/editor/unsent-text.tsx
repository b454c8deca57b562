import { useMessages } from '../../locales/messages.js';
import { useFieldNames } from './editor-context.js';
import styles from './unsent-text.module.css';
import { valueText } from './value-text.js';

/** Texts that have no field to be in, to be read and copied. */
export function UnsentText({ values }: { values: ReadonlyMap<string, unknown> }) {
  const t = useMessages();
  const namesOf = useFieldNames();
  return (
    <dl className={styles['texts']}>
      {[...values].map(([key, value]) => (
        <div key={key}>
          <dt>{namesOf([key])}</dt>
          <dd tabIndex={0}>{valueText(t, value)}</dd>
        </div>
      ))}
    </dl>
  );
}
