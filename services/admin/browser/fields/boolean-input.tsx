import { useMessages } from '../locales/messages.js';
import { Switch } from '../ui/switch.js';
import { FieldFrame, FieldName } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';

/** A switch. A field without a value is off, and says so until it is switched. */
export function BooleanInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, autoFocus = false } = props;
  const t = useMessages();
  return (
    <FieldFrame {...props} kind="own" hint={value === null ? t('field.notSet') : undefined}>
      {(control) => (
        <Switch
          // Imports may have stored 1.
          isOn={value === true || value === 1}
          onChange={onChange}
          isReadOnly={isReadOnly}
          isInvalid={control['aria-invalid'] ?? false}
          autoFocus={autoFocus}
          describedBy={control['aria-describedby']}
        >
          <span className={styles['name']}>
            <FieldName field={field} />
          </span>
        </Switch>
      )}
    </FieldFrame>
  );
}
