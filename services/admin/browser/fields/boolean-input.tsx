import { useMessages } from '../locales/messages.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';
import styles from './switch.module.css';

/** A switch. A field without a value says so until it is switched. */
export function BooleanInput(props: FieldInputProps) {
  const { value, onChange, isReadOnly, autoFocus } = props;
  const t = useMessages();
  return (
    <FieldFrame {...props} hint={value === null ? t('field.notSet') : undefined}>
      {(control) => (
        <input
          {...control}
          type="checkbox"
          role="switch"
          className={styles['switch']}
          checked={value === true}
          disabled={isReadOnly}
          autoFocus={autoFocus}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </FieldFrame>
  );
}
