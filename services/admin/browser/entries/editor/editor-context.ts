import { createContext, use, useMemo } from 'react';
import { useMessages } from '../../locales/messages.js';
import { slugField } from '../document/entry-fields.js';
import type { CollectionContext } from '../with-collection.js';

export const EditorContext = createContext<CollectionContext | undefined>(undefined);

/** What all parts of the editor know. @throws Error outside of the editor */
export function useEditorContext(): CollectionContext {
  const value = use(EditorContext);
  if (!value) throw new Error('Only parts of the editor have its context');
  return value;
}

/** Names fields of the document, with commas between them: by their labels, else by their keys. */
export function useFieldNames(): (keys: readonly string[]) => string {
  const t = useMessages();
  const { collection } = useEditorContext();
  return useMemo(() => {
    const labels = new Map(collection.fields.map(({ slug, label }) => [slug, label]));
    labels.set(slugField.key, t('editor.slug'));
    return (keys) => keys.map((key) => labels.get(key) ?? key).join(', ');
  }, [collection, t]);
}
