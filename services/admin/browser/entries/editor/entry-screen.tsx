import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { bootstrapQuery } from '../../api/bootstrap.js';
import { meQuery } from '../../api/client.js';
import { useMessages } from '../../locales/messages.js';
import { useTimeFormatters } from '../../time/formatters.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Screen } from '../../ui/screen.js';
import { Skeleton } from '../../ui/skeleton.js';
import { UnknownCollection } from '../list/list-states.js';
import { createId } from './create-id.js';
import { EditorContext } from './editor-context.js';
import { EntryEditor } from './entry-editor.js';
import { newEntryId } from './entry-search.js';

const route = getRouteApi('/content/$collection/$id');

/** The screen of an entry, and of a new one. */
export function EntryScreen() {
  const t = useMessages();
  const { collection: slug, id } = route.useParams();
  const { locale } = route.useSearch();
  const navigate = useNavigate();
  const draftId = useDraftId(slug, id);
  /** The entry that the new one of this screen has become: it stays open under its own address. */
  const [created, setCreated] = useState<{ draftId: string; id: string }>();
  const { data: bootstrap, error, refetch, isFetching } = useQuery(bootstrapQuery);
  const { data: me } = useQuery(meQuery);
  const times = useTimeFormatters(bootstrap?.site.timezone ?? 'UTC');
  const collection = bootstrap?.collections.find((each) => each.slug === slug);
  const isMissing = bootstrap !== undefined && !collection;
  useEffect(() => {
    // It may be newer than what the panel knows.
    if (isMissing) void refetch();
  }, [isMissing, slug, refetch]);
  if (error && !bootstrap) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (isMissing && !isFetching) return <UnknownCollection slug={slug} />;
  if (!bootstrap || !collection || !me || draftId === undefined)
    return (
      <Screen title={t('editor.loading')}>
        <Skeleton rows={6} label={t('editor.loading')} />
      </Screen>
    );
  const isCreatedHere = created?.id === id;
  const caller = { userId: me.id, role: me.role };
  return (
    <EditorContext value={{ collection, bootstrap, caller, times }}>
      <EntryEditor
        key={isCreatedHere ? created.draftId : draftId}
        id={id === newEntryId ? undefined : id}
        draftId={isCreatedHere ? created.draftId : draftId}
        locale={locale}
        onCreated={(createdId) => {
          setCreated({ draftId, id: createdId });
          void navigate({
            to: '/content/$collection/$id',
            params: { collection: slug, id: createdId },
            search: {},
            replace: true,
          });
        }}
      />
    </EditorContext>
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
        search: { locale, draft: createId() },
        replace: true,
      });
  }, [isUnnamed, collection, id, locale, navigate]);
  return id === newEntryId ? draft : id;
}
