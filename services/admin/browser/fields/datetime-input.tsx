import { useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { placeOf } from '../time/site-time.js';
import { Button } from '../ui/button.js';
import { isSkipped, readDatetime, writeDatetime } from './datetime-text.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';
import styles from './field-frame.module.css';

/** A time, on the clocks of the site's zone. */
export function DatetimeInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, zone, autoFocus } = props;
  const t = useMessages();
  const [typed, setTyped] = useState('');
  const text = writeDatetime(value, zone);
  const hasSeconds = text.length > 'yyyy-mm-ddThh:mm'.length;
  const skips = typed !== '' && value !== null && isSkipped(typed, zone);
  const hint = skips ? t('field.skippedTime', { place: placeOf(zone) }) : placeOf(zone);
  return (
    <FieldFrame {...props} hint={hint}>
      {(control) => (
        <div className={styles['row']}>
          <input
            {...control}
            type="datetime-local"
            step={hasSeconds ? 1 : undefined}
            value={text}
            readOnly={isReadOnly}
            autoFocus={autoFocus}
            onChange={({ target }) => {
              // A time that is not yet complete has no value, and does not clear the field.
              if (target.value === '' && target.validity.badInput) return;
              setTyped(target.value);
              const next = readDatetime(target.value, zone, value);
              if (next !== undefined) onChange(next);
            }}
          />
          {!field.required && value !== null && !isReadOnly && (
            <Button onPress={() => onChange(null)}>{t('field.clear')}</Button>
          )}
        </div>
      )}
    </FieldFrame>
  );
}
