import { useId } from 'react';
import styles from './field.module.css';

/** A choice of one value. It is the browser's own, which phones show as they show all choices. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  options,
  onChange,
}: {
  label: string;
  isLabelHidden?: boolean;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : ''}>
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
