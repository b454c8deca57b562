import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createUlid } from '../../api/ulid.js';
import { WithCollection } from '../with-collection.js';
import { EditorContext } from './editor-context.js';
import { EntryEditor, LoadingEntry } from './entry-editor.js';
import { newEntryId } from './entry-search.js';

const route = getRouteApi('/content/$collection/$id');

/** The screen of an entry, and of a new one. */
export function EntryScreen() {
  const { collection: slug } = route.useParams();
  return (
    <WithCollection slug={slug} placeholder={<LoadingEntry />}>
      {(context) => (
        <EditorContext value={context}>
          <EntryOfAddress />
        </EditorContext>
      )}
    </WithCollection>
  );
}

/** The entry that the address names, or a new one. */
function EntryOfAddress() {
  const { collection, id } = route.useParams();
  const { locale } = route.useSearch();
  const navigate = useNavigate();
  const draftId = useDraftId(collection, id);
  /** The entry that the new one of this screen has become: it stays open under its own address. */
  const [created, setCreated] = useState<{ draftId: string; id: string }>();
  if (draftId === undefined) return <LoadingEntry />;
  const openedAs = created?.id === id ? created.draftId : draftId;
  return (
    <EntryEditor
      key={openedAs}
      id={id === newEntryId ? undefined : id}
      draftId={openedAs}
      locale={locale}
      onCreated={(createdId) => {
        setCreated({ draftId, id: createdId });
        void navigate({
          to: '/content/$collection/$id',
          params: { collection, id: createdId },
          search: {},
          replace: true,
        });
      }}
    />
  );
}

/**
 * Names the text of the screen in the journal: the id of an entry, or that of a new text, which is in the address so
 * that a reload finds it again.
 * @returns undefined until the address has it
 */
function useDraftId(collection: string, id: string): string | undefined {
  const { draft, locale } = route.useSearch();
  const navigate = useNavigate();
  const isUnnamed = id === newEntryId && draft === undefined;
  useEffect(() => {
    if (isUnnamed)
      void navigate({
        to: '/content/$collection/$id',
        params: { collection, id },
        search: { locale, draft: createUlid() },
        replace: true,
      });
  }, [isUnnamed, collection, id, locale, navigate]);
  return id === newEntryId ? draft : id;
}
