import { useId, type ReactNode } from 'react';
import { useMessages } from '../locales/messages.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';

/** What the control of a field is connected to its label, hint and problems with. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

/** The label of a field, its control, and what is wrong with it. Several controls are a group. */
export function FieldFrame({
  field: { label, required },
  problems,
  hint,
  isGroup = false,
  children,
}: Pick<FieldInputProps, 'problems'> & {
  field: Pick<FieldInputProps['field'], 'label' | 'required'>;
  hint?: string | undefined;
  isGroup?: boolean;
  children: (control: ControlProps) => ReactNode;
}) {
  const t = useMessages();
  const id = useId();
  const [hintId, problemsId] = [`${id}-hint`, `${id}-problems`];
  const described = [hint !== undefined && hintId, problems.length > 0 && problemsId]
    .filter(Boolean)
    .join(' ');
  const control: ControlProps = {
    id,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': problems.length > 0 || undefined,
    'aria-required': required || undefined,
  };
  const name = (
    <>
      {label}
      {required && <span className={styles['required']}>{t('field.required')}</span>}
    </>
  );
  const notes = (
    <>
      {hint !== undefined && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
      {problems.length > 0 && (
        <ul id={problemsId} className={styles['problems']}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  );
  if (isGroup)
    return (
      <fieldset className={styles['frame']} aria-describedby={control['aria-describedby']}>
        <legend>{name}</legend>
        {children(control)}
        {notes}
      </fieldset>
    );
  return (
    <div className={styles['frame']}>
      <label htmlFor={id}>{name}</label>
      {children(control)}
      {notes}
    </div>
  );
}
