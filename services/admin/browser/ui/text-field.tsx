import { Input, Label, TextField as AriaTextField } from 'react-aria-components/TextField';
import { Text } from 'react-aria-components/Text';
import styles from './field.module.css';

/** A field for a line of text, a number or a time. */
export function TextField({
  label,
  value,
  onChange,
  type = 'text',
  hint,
  problem,
  ...input
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'number' | 'date' | 'datetime-local';
  hint?: string;
  problem?: string | undefined;
  min?: string;
  step?: string;
  autoFocus?: boolean;
}) {
  const { autoFocus = false, ...limits } = input;
  return (
    <AriaTextField
      value={value}
      onChange={onChange}
      type={type}
      isInvalid={problem !== undefined}
      autoFocus={autoFocus}
      className={styles['field'] ?? ''}
    >
      <Label>{label}</Label>
      <Input {...limits} />
      {(problem ?? hint) !== undefined && (
        <Text
          slot="description"
          className={(problem === undefined ? styles['hint'] : styles['problem']) ?? ''}
        >
          {problem ?? hint}
        </Text>
      )}
    </AriaTextField>
  );
}
