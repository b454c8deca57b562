import { useRef, useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { Chip } from '../ui/chip.js';
import { selectedOf, tagsBefore, toggled, typeTags, valueOfTags } from './choice.js';
import { FieldFrame } from './field-frame.js';
import styles from './field-frame.module.css';
import type { FieldInputProps } from './field-input.js';

const nothingTyped = { text: '', pending: undefined as string | undefined };

/** Texts of the user: Enter or a comma ends one. The one that is being typed is part of the value, too. */
export function TagsInput(props: FieldInputProps) {
  const { value, onChange, isReadOnly, lang, autoFocus } = props;
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(nothingTyped);
  const tags = tagsBefore(value, typed.pending);
  const type = (text: string) => {
    const next = typeTags(tags, text);
    setTyped(next);
    onChange(valueOfTags(next));
  };
  const remove = (tag: string) => {
    onChange(toggled(selectedOf(value), tag));
    input.current?.focus();
  };
  return (
    <FieldFrame {...props} hint={isReadOnly ? undefined : t('field.tags.hint')}>
      {(control) => (
        <>
          <input
            {...control}
            ref={input}
            type="text"
            dir="auto"
            lang={lang}
            spellCheck
            autoComplete="off"
            value={typed.text}
            readOnly={isReadOnly}
            autoFocus={autoFocus}
            onChange={({ target }) => type(target.value)}
            onBlur={() => setTyped(nothingTyped)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing || event.key !== 'Enter') return;
              event.preventDefault();
              setTyped(nothingTyped);
            }}
          />
          <TagList tags={tags} onRemove={isReadOnly ? undefined : remove} />
        </>
      )}
    </FieldFrame>
  );
}

function TagList({
  tags,
  onRemove,
}: {
  tags: readonly string[];
  /** Undefined where nothing can be removed. */
  onRemove: ((tag: string) => void) | undefined;
}) {
  const t = useMessages();
  if (tags.length === 0) return null;
  return (
    <ul className={styles['tags']}>
      {[...new Set(tags)].map((tag) => (
        <li key={tag} dir="auto">
          <Chip
            label={tag}
            removeLabel={t('field.removeTag', { tag })}
            onRemove={onRemove && (() => onRemove(tag))}
          />
        </li>
      ))}
    </ul>
  );
}
