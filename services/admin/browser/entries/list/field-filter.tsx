import { useId, useState } from 'react';
import type { Field } from '../../api/bootstrap.js';
import { useMessages } from '../../locales/messages.js';
import { Checkbox } from '../../ui/checkbox.js';
import { Select } from '../../ui/select.js';
import { TextField } from '../../ui/text-field.js';
import { choicesOf, modesOf, toCondition, toForm, type ConditionForm } from './field-condition.js';
import styles from './filter-dialog.module.css';
import type { FieldCondition } from './list-search.js';

/** The filter of one field. */
export function FieldFilter({
  field,
  condition,
  onChange,
}: {
  field: Field;
  condition: FieldCondition | undefined;
  onChange: (condition: FieldCondition | undefined) => void;
}) {
  const t = useMessages();
  const [form, setForm] = useState(() => toForm(condition));
  const change = (part: Partial<ConditionForm>) => {
    const next = { ...form, ...part };
    setForm(next);
    onChange(toCondition(field, next));
  };
  return (
    <div className={styles['field']}>
      <Select
        label={field.label}
        value={form.mode}
        options={modesOf(field).map((mode) => [mode, t(`filter.mode.${mode}`)])}
        onChange={(mode) => change({ mode })}
      />
      <ConditionInputs field={field} form={form} onChange={change} />
    </div>
  );
}

function ConditionInputs({
  field,
  form: { mode, text, choices, from, to },
  onChange,
}: {
  field: Field;
  form: ConditionForm;
  onChange: (part: Partial<ConditionForm>) => void;
}) {
  const t = useMessages();
  const { label } = field;
  if (mode === 'is')
    return (
      <TextField
        label={t('filter.value', { label })}
        value={text}
        onChange={(each) => onChange({ text: each })}
      />
    );
  if (mode === 'in' && choicesOf(field).length > 0)
    return (
      <fieldset className={styles['choices']}>
        <legend className="visually-hidden">{label}</legend>
        {choicesOf(field).map((choice) => (
          <Checkbox
            key={choice}
            isChecked={choices.includes(choice)}
            onChange={(isChecked) =>
              onChange({
                choices: isChecked ? [...choices, choice] : choices.filter((each) => each !== choice),
              })
            }
          >
            {choice}
          </Checkbox>
        ))}
      </fieldset>
    );
  if (mode === 'in') return <Lines label={label} text={text} onChange={(each) => onChange({ text: each })} />;
  if (mode !== 'between') return null;
  const type = field.type === 'datetime' ? 'date' : 'number';
  const step = field.type === 'number' ? { step: 'any' } : {};
  return (
    <div className={styles['pair']}>
      <TextField
        label={t('filter.from', { label })}
        type={type}
        value={from}
        onChange={(each) => onChange({ from: each })}
        {...step}
      />
      <TextField
        label={t('filter.to', { label })}
        type={type}
        value={to}
        onChange={(each) => onChange({ to: each })}
        {...step}
      />
    </div>
  );
}

function Lines({ label, text, onChange }: { label: string; text: string; onChange: (text: string) => void }) {
  const t = useMessages();
  const id = useId();
  return (
    <div className={styles['lines']}>
      <label htmlFor={id}>{t('filter.values', { label })}</label>
      <textarea id={id} rows={3} value={text} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
