import { useEffect, useRef, type ReactNode } from 'react';
import styles from './checkbox.module.css';

/**
 * A checkbox with its label. It is the browser's own: a list has one in each of its rows.
 * @param props.isLabelHidden whether only screen readers read the label
 */
export function Checkbox({
  children,
  isLabelHidden = false,
  isChecked,
  isIndeterminate = false,
  isDisabled = false,
  onChange,
}: {
  children: ReactNode;
  isLabelHidden?: boolean;
  isChecked: boolean;
  isIndeterminate?: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <label className={styles['checkbox']}>
      <input
        ref={input}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={isLabelHidden ? 'visually-hidden' : ''}>{children}</span>
    </label>
  );
}
