import type { ReactNode } from 'react';
import { SwitchButton, SwitchField } from 'react-aria-components/Switch';
import styles from './switch.module.css';

/** Something that is on or off, and is so at once, with its label. */
export function Switch({
  children,
  isOn,
  onChange,
  isReadOnly = false,
  isInvalid = false,
  autoFocus = false,
  describedBy,
}: {
  children: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isReadOnly?: boolean;
  isInvalid?: boolean;
  autoFocus?: boolean;
  /** Id of what is read after the label. */
  describedBy?: string | undefined;
}) {
  return (
    <SwitchField
      isSelected={isOn}
      onChange={onChange}
      isReadOnly={isReadOnly}
      isInvalid={isInvalid}
      validationBehavior="aria"
      autoFocus={autoFocus}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
    >
      <SwitchButton className={styles['switch'] ?? ''}>
        <span className={styles['track']} />
        <span>{children}</span>
      </SwitchButton>
    </SwitchField>
  );
}
