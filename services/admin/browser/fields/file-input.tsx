import { MediaSlot } from '../media/media-slot.js';
import { mediaValueOf } from '../media/media-value.js';
import { FieldFrame } from './field-frame.js';
import type { FieldInputProps } from './field-input.js';

/** A file of the library. */
export function FileInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly } = props;
  return (
    <FieldFrame {...props} kind="group">
      {() => (
        <MediaSlot
          field={field}
          label={field.label}
          value={mediaValueOf(value)}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      )}
    </FieldFrame>
  );
}
