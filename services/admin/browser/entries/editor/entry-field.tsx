import { memo, useSyncExternalStore } from 'react';
import type { Field } from '../../api/bootstrap.js';
import { FieldInput } from '../../fields/field-input.js';
import { problemsOf } from '../../fields/field-problems.js';
import { useMessages } from '../../locales/messages.js';
import type { EntryDocument } from '../document/entry-document.js';
import { ConflictView } from './conflict-view.js';
import { useEditorContext } from './editor-context.js';
import styles from './entry-editor.module.css';

/** A field of the entry. It renders again when its own value or state changes, not with others. */
export const EntryField = memo(function EntryField({
  field,
  entry,
  isReadOnly,
  lang,
  autoFocus,
}: {
  field: Field;
  entry: EntryDocument;
  isReadOnly: boolean;
  /** Locale of the entry. */
  lang: string | undefined;
  autoFocus: boolean;
}) {
  const t = useMessages();
  const { bootstrap } = useEditorContext();
  const { value, issues, state, conflict } = useSyncExternalStore(
    (listener) => entry.subscribe(field.slug, listener),
    () => entry.getSnapshot(field.slug),
  );
  return (
    <div className={styles['field']} data-field={field.slug} data-state={state}>
      <FieldInput
        field={field}
        value={value}
        onChange={(next) => entry.set(field.slug, next)}
        problems={problemsOf(t, field, issues)}
        isReadOnly={isReadOnly}
        zone={bootstrap.site.timezone}
        lang={lang}
        autoFocus={autoFocus}
      />
      {conflict && <ConflictView field={field} conflict={conflict} entry={entry} />}
    </div>
  );
});
