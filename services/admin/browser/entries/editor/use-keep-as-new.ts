import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { createUlid } from '../../api/ulid.js';
import { useEditorContext } from './editor-context.js';
import { newEntryId } from './entry-search.js';

/**
 * Opens a new entry with a text that cannot be saved where it is.
 * @param copy stores the text in the journal as that of a new entry
 */
export function useKeepAsNew(copy: (newId: string) => Promise<void>): () => Promise<void> {
  const navigate = useNavigate();
  const { collection } = useEditorContext();
  return useCallback(async () => {
    const draft = createUlid();
    await copy(draft);
    await navigate({
      to: '/content/$collection/$id',
      params: { collection: collection.slug, id: newEntryId },
      search: { draft },
    });
  }, [copy, navigate, collection.slug]);
}
