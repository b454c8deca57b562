import { useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { choicesOf, formerOf, matching, maxShownChoices, selectedOf, toggled } from './choice.js';
import { FieldFrame } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';
import { TagsInput } from './tags-input.js';

/** Several of the choices of a field. Without choices any text is one. */
export function MultiSelectInput(props: FieldInputProps) {
  return choicesOf(props.field).length === 0 ? <TagsInput {...props} /> : <Checkboxes {...props} />;
}

/** A checkbox for each choice; many have a filter. */
function Checkboxes(props: FieldInputProps) {
  const { field, value, problems, onChange, isReadOnly, autoFocus = false } = props;
  const t = useMessages();
  const [filter, setFilter] = useState('');
  const choices = choicesOf(field);
  const selected = selectedOf(value);
  const former = formerOf(selected, choices);
  const isLong = choices.length > maxShownChoices;
  const shown = isLong ? matching(choices, filter) : choices;
  const count = isLong ? t('field.chosen', { count: selected.length }) : undefined;
  return (
    <FieldFrame {...props} kind="group" hint={count}>
      {() => (
        <>
          {isLong && (
            <input
              type="search"
              aria-label={t('field.filter', { field: field.label })}
              placeholder={t('field.filter', { field: field.label })}
              value={filter}
              autoFocus={autoFocus}
              onChange={({ target }) => setFilter(target.value)}
            />
          )}
          <div className={styles['choices']}>
            {[...shown, ...former].map((choice, index) => (
              <label key={choice} className={styles['choice']}>
                <input
                  type="checkbox"
                  checked={selected.includes(choice)}
                  disabled={isReadOnly}
                  aria-invalid={(problems.length > 0 && former.includes(choice)) || undefined}
                  autoFocus={autoFocus && !isLong && index === 0}
                  onChange={() => onChange(toggled(selected, choice))}
                />
                <span>{former.includes(choice) ? t('field.formerChoice', { choice }) : choice}</span>
              </label>
            ))}
            {shown.length === 0 && <p>{t('field.noMatch')}</p>}
          </div>
        </>
      )}
    </FieldFrame>
  );
}
