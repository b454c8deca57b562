import { useMessages } from '../locales/messages.js';
import { choicesOf, formerOf, maxShownChoices, selectedOf } from './choice.js';
import { FieldFrame, isRequired } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';
import { TextInput } from './text-input.js';

interface ChoiceProps extends FieldInputProps {
  /** The value and the label of each choice, without that for none. */
  options: readonly (readonly [string, string])[];
}

/** One of the choices of a field: all of a few are shown. Without choices any text is one. */
export function SelectInput(props: FieldInputProps) {
  const t = useMessages();
  const choices = choicesOf(props.field);
  if (choices.length === 0) return <TextInput {...props} />;
  const former = formerOf(selectedOf(props.value), choices);
  const options = [
    ...choices.map((choice) => [choice, choice] as const),
    ...former.map((choice) => [choice, t('field.formerChoice', { choice })] as const),
  ];
  const Control = choices.length > maxShownChoices ? ChoiceList : Radios;
  return <Control {...props} options={options} />;
}

function ChoiceList({ options, ...props }: ChoiceProps) {
  const { field, value, onChange, isReadOnly, autoFocus } = props;
  const t = useMessages();
  // A required field shows that nothing is chosen as long as that is so.
  const hasEmpty = !isRequired(field) || value === null;
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
          {hasEmpty && <option value="">{isRequired(field) ? t('field.choose') : t('field.none')}</option>}
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

function Radios({ options, ...props }: ChoiceProps) {
  const { field, value, onChange, isReadOnly, autoFocus = false } = props;
  const t = useMessages();
  const shown = isRequired(field) ? options : [['', t('field.none')] as const, ...options];
  const focused = shown.find(([choice]) => choice === (value ?? ''))?.[0] ?? shown[0]?.[0];
  return (
    <FieldFrame {...props} kind="radios">
      {({ id }) =>
        shown.map(([choice, label]) => (
          <label key={choice} className={styles['choice']}>
            <input
              type="radio"
              name={id}
              checked={(value ?? '') === choice}
              disabled={isReadOnly}
              autoFocus={autoFocus && choice === focused}
              onChange={() => onChange(choice === '' ? null : choice)}
            />
            <span>{label}</span>
          </label>
        ))
      }
    </FieldFrame>
  );
}
