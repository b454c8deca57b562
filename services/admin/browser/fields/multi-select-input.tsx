import { useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { Chip } from '../ui/chip.js';
import { choicesOf, maxShownChoices, selectedOf, toggled } from './choice.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';
import styles from './field-frame.module.css';

/** Several of the choices of a field. Without choices any text is one. */
export function MultiSelectInput(props: FieldInputProps) {
  return choicesOf(props.field).length === 0 ? <Tags {...props} /> : <Choices {...props} />;
}

/** A checkbox for each choice; many have a filter. */
function Choices(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly } = props;
  const t = useMessages();
  const [filter, setFilter] = useState('');
  const choices = choicesOf(field);
  const selected = selectedOf(value);
  const former = selected.filter((choice) => !choices.includes(choice));
  const wanted = filter.trim().toLocaleLowerCase();
  const shown = choices.filter((choice) => choice.toLocaleLowerCase().includes(wanted));
  return (
    <FieldFrame {...props} isGroup>
      {() => (
        <>
          {choices.length > maxShownChoices && (
            <input
              type="search"
              aria-label={t('field.filter', { field: field.label })}
              placeholder={t('field.filter', { field: field.label })}
              value={filter}
              onChange={({ target }) => setFilter(target.value)}
            />
          )}
          <div className={styles['choices']}>
            {[...shown, ...former].map((choice) => (
              <label key={choice} className={styles['choice']}>
                <input
                  type="checkbox"
                  checked={selected.includes(choice)}
                  disabled={isReadOnly}
                  onChange={() => onChange(toggled(selected, choice))}
                />
                <span>{former.includes(choice) ? t('field.formerChoice', { choice }) : choice}</span>
              </label>
            ))}
          </div>
        </>
      )}
    </FieldFrame>
  );
}

/** Texts of the user: Enter or a comma ends one. The one that is being typed is part of the value, too. */
function Tags(props: FieldInputProps) {
  const { value, onChange, isReadOnly, autoFocus } = props;
  const t = useMessages();
  const [text, setText] = useState('');
  const all = selectedOf(value);
  const isTyped = text.trim() !== '' && all.at(-1) === text.trim();
  const selected = isTyped ? all.slice(0, -1) : all;
  const type = (typed: string) => {
    const tag = typed.trim();
    const next = tag === '' || selected.includes(tag) ? selected : [...selected, tag];
    setText(typed);
    onChange(next.length === 0 ? null : next);
  };
  return (
    <FieldFrame {...props} hint={t('field.tags.hint')}>
      {(control) => (
        <>
          <input
            {...control}
            type="text"
            value={text}
            readOnly={isReadOnly}
            autoFocus={autoFocus}
            onChange={({ target }) => type(target.value)}
            onBlur={() => setText('')}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== ',')) return;
              event.preventDefault();
              setText('');
            }}
          />
          <div className={styles['tags']}>
            {selected.map((tag) => (
              <Chip
                key={tag}
                label={tag}
                removeLabel={t('field.removeTag', { tag })}
                onRemove={() => onChange(toggled(all, tag))}
              />
            ))}
          </div>
        </>
      )}
    </FieldFrame>
  );
}
