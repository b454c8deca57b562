import type { ReactElement } from 'react';
import type { Field } from '../api/bootstrap.js';
import { BooleanInput } from './boolean-input.js';
import { DatetimeInput } from './datetime-input.js';
import { FileInput } from './file-input.js';
import { ImageInput } from './image-input.js';
import { MultiSelectInput } from './multi-select-input.js';
import { NumberInput } from './number-input.js';
import { SelectInput } from './select-input.js';
import { TextInput } from './text-input.js';
import { UnsupportedField } from './unsupported-field.js';

/** What every input of a field is shown with. */
export interface FieldInputProps {
  field: Field;
  /** Null without a value. */
  value: unknown;
  /** Called at each keystroke; null clears the field. */
  onChange: (value: unknown) => void;
  /** Sentences that say what is wrong. */
  problems: readonly string[];
  isReadOnly: boolean;
  /** IANA time zone of the site. */
  zone: string;
  /** Locale of the entry. */
  lang?: string | undefined;
  autoFocus?: boolean;
}

/** Inputs by the type of the field. Types without one are shown, and cannot be edited. */
const inputs: Partial<Record<Field['type'], (props: FieldInputProps) => ReactElement>> = {
  string: TextInput,
  text: TextInput,
  url: TextInput,
  slug: TextInput,
  number: NumberInput,
  integer: NumberInput,
  boolean: BooleanInput,
  datetime: DatetimeInput,
  select: SelectInput,
  multiSelect: MultiSelectInput,
  image: ImageInput,
  file: FileInput,
};

/** The input of a field, by its type: the panel knows no widgets yet. */
export function FieldInput(props: FieldInputProps): ReactElement {
  const Input = inputs[props.field.type] ?? UnsupportedField;
  return <Input {...props} />;
}
