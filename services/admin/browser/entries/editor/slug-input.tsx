import { useSyncExternalStore } from 'react';
import { problemsOf } from '../../fields/field-problems.js';
import { FieldFrame } from '../../fields/field-frame.js';
import { useMessages } from '../../locales/messages.js';
import { slugField } from '../document/entry-fields.js';
import { useEditorContext } from './editor-context.js';
import type { EntrySession } from './entry-session.js';

const { key } = slugField;

/** The slug of the entry, and what a change of it means for links. */
export function SlugInput({ session }: { session: EntrySession }) {
  const t = useMessages();
  const { collection } = useEditorContext();
  const { document: entry, readOnly } = session;
  const { value, issues } = useSyncExternalStore(
    (listener) => entry.subscribe(key, listener),
    () => entry.getSnapshot(key),
  );
  const facts = useSyncExternalStore(session.subscribe, session.getFacts);
  const slug = typeof value === 'string' ? value : '';
  const isMove = facts?.status === 'published' && facts.slug !== null && facts.slug !== slug;
  const pattern = collection.urlPattern ?? `/${collection.slug}/{slug}`;
  const path = pattern.replace('{slug}', slug === '' ? '…' : slug);
  return (
    <FieldFrame
      field={{ label: t('editor.slug'), required: false, validation: null, options: null }}
      problems={problemsOf(t, { type: 'slug', validation: null }, issues)}
      hint={
        !collection.routable
          ? undefined
          : isMove
            ? t('editor.slug.moves', { from: facts.slug ?? '', to: path })
            : path
      }
    >
      {(control) => (
        <input
          {...control}
          type="text"
          dir="ltr"
          spellCheck={false}
          value={slug}
          readOnly={readOnly !== undefined}
          onChange={({ target }) => entry.set(key, target.value === '' ? null : target.value)}
        />
      )}
    </FieldFrame>
  );
}
