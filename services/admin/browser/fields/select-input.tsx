import { useMessages } from '../locales/messages.js';
import { choicesOf, maxShownChoices } from './choice.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';
import styles from './field-frame.module.css';
import { TextInput } from './text-input.js';

/** One of the choices of a field: all of a few are shown. Without choices any text is one. */
export function SelectInput(props: FieldInputProps) {
  const choices = choicesOf(props.field);
  if (choices.length === 0) return <TextInput {...props} />;
  return choices.length > maxShownChoices ? (
    <ChoiceList {...props} choices={choices} />
  ) : (
    <Radios {...props} choices={choices} />
  );
}

/** The choices to select from: none, unless the field is required, and a stored one that is no longer offered. */
function useOptions({ field, value }: FieldInputProps, choices: readonly string[]): [string, string][] {
  const t = useMessages();
  const former = typeof value === 'string' && !choices.includes(value) ? [value] : [];
  return [
    ...(field.required && value !== null ? [] : [['', t('field.none')] as [string, string]]),
    ...choices.map((choice): [string, string] => [choice, choice]),
    ...former.map((choice): [string, string] => [choice, t('field.formerChoice', { choice })]),
  ];
}

function ChoiceList({ choices, ...props }: FieldInputProps & { choices: readonly string[] }) {
  const { value, onChange, isReadOnly, autoFocus } = props;
  const options = useOptions(props, choices);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <select
          {...control}
          value={typeof value === 'string' ? value : ''}
          disabled={isReadOnly}
          autoFocus={autoFocus}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          {options.map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

function Radios({ choices, ...props }: FieldInputProps & { choices: readonly string[] }) {
  const { value, onChange, isReadOnly } = props;
  const options = useOptions(props, choices);
  return (
    <FieldFrame {...props} isGroup>
      {({ id }) =>
        options.map(([choice, label]) => (
          <label key={choice} className={styles['choice']}>
            <input
              type="radio"
              name={id}
              checked={(value ?? '') === choice}
              disabled={isReadOnly}
              onChange={() => onChange(choice === '' ? null : choice)}
            />
            <span>{label}</span>
          </label>
        ))
      }
    </FieldFrame>
  );
}
