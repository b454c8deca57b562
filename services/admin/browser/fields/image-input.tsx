import { useId } from 'react';
import { useMessages } from '../locales/messages.js';
import { MediaSlot } from '../media/media-slot.js';
import { mediaValueOf, type MediaValue } from '../media/media-value.js';
import { Checkbox } from '../ui/checkbox.js';
import { FieldFrame } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';

/** An image of the library with the text that describes it, and a second one for dark colors where the field has it. */
export function ImageInput(props: FieldInputProps) {
  const { field, value, onChange, isReadOnly, lang } = props;
  const t = useMessages();
  const image = mediaValueOf(value);
  const hasDark =
    image !== undefined && (field.options?.['darkVariant'] === true || Boolean(image.darkVariant));
  return (
    <FieldFrame {...props} kind="group">
      {() => (
        <>
          <MediaSlot
            field={field}
            label={field.label}
            value={image}
            isReadOnly={isReadOnly}
            // The text describes the former image, and the dark one belongs to it.
            onChange={onChange}
          />
          {image && (
            <AltText
              image={image}
              isReadOnly={isReadOnly}
              lang={lang}
              onChange={(alt) => onChange(withAlt(image, alt))}
            />
          )}
          {hasDark && (
            <>
              <p className={styles['name']}>{t('media.dark')}</p>
              <MediaSlot
                field={field}
                label={t('media.dark')}
                value={mediaValueOf(image.darkVariant)}
                isReadOnly={isReadOnly}
                onChange={(dark) => onChange({ ...image, darkVariant: dark })}
              />
            </>
          )}
        </>
      )}
    </FieldFrame>
  );
}

/** @param alt undefined for an image that nothing describes yet; empty for a decorative one */
function withAlt({ alt: _, ...image }: MediaValue, alt: string | undefined): MediaValue {
  return alt === undefined ? image : { ...image, alt };
}

function AltText({
  image: { alt },
  isReadOnly,
  lang,
  onChange,
}: {
  image: MediaValue;
  isReadOnly: boolean;
  lang: string | undefined;
  onChange: (alt: string | undefined) => void;
}) {
  const t = useMessages();
  const id = useId();
  const isDecorative = alt === '';
  return (
    <>
      <label htmlFor={id}>{t('media.alt')}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        lang={lang}
        value={alt ?? ''}
        readOnly={isReadOnly || isDecorative}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
      <p id={`${id}-hint`} className={styles['hint']}>
        {t('media.alt.hint')}
      </p>
      <Checkbox
        isChecked={isDecorative}
        isDisabled={isReadOnly}
        onChange={(isChecked) => onChange(isChecked ? '' : undefined)}
      >
        {t('media.decorative')}
      </Checkbox>
    </>
  );
}
