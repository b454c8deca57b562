import { useId, type ReactNode } from 'react';
import type { Field } from '../api/bootstrap.js';
import { useMessages } from '../locales/messages.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';

/** What the control of a field is connected to its label, hints and problems with. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

/**
 * How a field is named: by a label of its one control, by the legend of several controls, by that of radio buttons, or
 * by its control itself.
 */
export type FrameKind = 'control' | 'group' | 'radios' | 'own';

/** What the frame shows of a field. */
type NamedField = Pick<Field, 'label' | 'required' | 'validation' | 'options'>;

/** The label of a field, its help text, its control, and what is wrong with it. */
export function FieldFrame({
  field,
  problems,
  hint,
  kind = 'control',
  children,
}: Pick<FieldInputProps, 'problems'> & {
  field: NamedField;
  hint?: string | undefined;
  kind?: FrameKind;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const hints = [helpOf(field), hint].filter((each) => each !== undefined);
  const ids = [hints.length > 0 && `${id}-hint`, problems.length > 0 && `${id}-problems`].filter(Boolean);
  const control: ControlProps = {
    id,
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': problems.length > 0 || undefined,
    'aria-required': isRequired(field) || undefined,
  };
  const content = (
    <>
      {children(control)}
      <Notes id={id} hints={hints} problems={problems} />
    </>
  );
  if (kind === 'own') return <div className={styles['frame']}>{content}</div>;
  const name = <FieldName field={field} />;
  if (kind === 'control')
    return (
      <div className={styles['frame']}>
        <label htmlFor={id}>{name}</label>
        {content}
      </div>
    );
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid, 'aria-required': required } = control;
  const radios = { role: 'radiogroup', 'aria-invalid': invalid, 'aria-required': required };
  return (
    <fieldset
      className={styles['frame']}
      aria-labelledby={`${id}-name`}
      aria-describedby={describedBy}
      {...(kind === 'radios' && radios)}
    >
      <legend id={`${id}-name`}>{name}</legend>
      {content}
    </fieldset>
  );
}

/** The label of a field, which says in words that it is required. */
export function FieldName({ field }: { field: Pick<NamedField, 'label' | 'required' | 'validation'> }) {
  const t = useMessages();
  return (
    <>
      {field.label}
      {isRequired(field) && <span className={styles['required']}> {t('field.required')}</span>}
    </>
  );
}

function Notes({
  id,
  hints,
  problems,
}: {
  id: string;
  hints: readonly string[];
  problems: readonly string[];
}) {
  return (
    <>
      {hints.length > 0 && (
        <div id={`${id}-hint`} className={styles['hint']}>
          {hints.map((hint) => (
            <p key={hint}>{hint}</p>
          ))}
        </div>
      )}
      {problems.length > 0 && (
        <ul id={`${id}-problems`} className={styles['problems']}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Whether a field needs a value, by itself or by its rules. */
export function isRequired({ required, validation }: Pick<Field, 'required' | 'validation'>): boolean {
  return required || validation?.['required'] === true;
}

/** The help text of a field: a convention of the panel, as the API has no property for one. */
function helpOf({ options }: NamedField): string | undefined {
  const help = options?.['help'];
  return typeof help === 'string' && help !== '' ? help : undefined;
}
