import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useSyncExternalStore, useState } from 'react';
import { titleFieldOf } from '../../api/bootstrap.js';
import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Screen } from '../../ui/screen.js';
import { Skeleton } from '../../ui/skeleton.js';
import { StatusBadge } from '../list/status-badge.js';
import { EditorBanners } from './editor-banners.js';
import { useEditorContext } from './editor-context.js';
import styles from './entry-editor.module.css';
import { EntryField } from './entry-field.js';
import { GoneEntry } from './gone-entry.js';
import type { EntrySession } from './entry-session.js';
import { PublishButtons } from './publish-buttons.js';
import { SlugInput } from './slug-input.js';
import { StateLine } from './state-line.js';
import { usePageEvents, useEntry } from './use-entry.js';
import { useSchemaRefresh } from './use-schema-refresh.js';
import { useSaveShortcut } from './use-save-shortcut.js';

/** The editor of one entry: opens it, and shows its fields. */
export function EntryEditor({
  id,
  draftId,
  locale,
  onCreated,
}: {
  /** Undefined for a new entry. */
  id: string | undefined;
  draftId: string;
  locale: string | undefined;
  onCreated: (id: string) => void;
}) {
  const { collection, caller } = useEditorContext();
  const { state, reopen } = useEntry({ caller, collection, id, draftId, locale, onCreated });
  switch (state.kind) {
    case 'opening':
      return <LoadingEntry />;
    case 'failed':
      return <ErrorBox error={state.error} onRetry={() => reopen()} />;
    case 'gone':
      return <GoneEntry draft={state.draft} />;
    case 'open':
      return <OpenEntry session={state.session} onReopen={reopen} />;
  }
}

/** In the place of an entry that is being opened. */
export function LoadingEntry() {
  const t = useMessages();
  return (
    <Screen title={t('editor.loading')}>
      <Skeleton rows={6} label={t('editor.loading')} />
    </Screen>
  );
}

function OpenEntry({
  session,
  onReopen,
}: {
  session: EntrySession;
  onReopen: (takesOver?: boolean) => void;
}) {
  const { document: entry, readOnly, collection } = session;
  const [isNew] = useState(session.saver.id === undefined);
  usePageEvents(session);
  useSaveShortcut(session);
  useSchemaRefresh(session);
  return (
    <Screen title={useTitle(session)}>
      <Toolbar session={session} />
      <EditorBanners session={session} onReopen={onReopen} />
      <form className={styles['fields']} onSubmit={(event) => event.preventDefault()} noValidate>
        {collection.fields.map((field, index) => (
          <EntryField
            key={field.slug}
            field={field}
            entry={entry}
            isReadOnly={readOnly !== undefined}
            lang={session.locale}
            autoFocus={isNew && index === 0}
          />
        ))}
        <SlugInput session={session} />
      </form>
    </Screen>
  );
}

/** The text that names the entry, as it is typed. */
function useTitle({ document: entry }: EntrySession): string {
  const t = useMessages();
  const { collection } = useEditorContext();
  const key = titleFieldOf(collection)?.slug;
  const title = useSyncExternalStore(
    (listener) => (key === undefined ? () => undefined : entry.subscribe(key, listener)),
    () => (key === undefined ? undefined : entry.getSnapshot(key).value),
  );
  return typeof title === 'string' && title !== '' ? title : t('list.untitled');
}

/** The way back, the status of the entry, the state of saving, and Save. */
function Toolbar({ session }: { session: EntrySession }) {
  const t = useMessages();
  const { collection, times } = useEditorContext();
  const facts = useSyncExternalStore(session.subscribe, session.getFacts);
  const label = facts === undefined && session.saver.createsOnSave ? 'editor.submit' : 'editor.save';
  return (
    <div className={styles['toolbar']}>
      <Link
        className={styles['back']}
        to="/content/$collection"
        params={{ collection: collection.slug }}
        search={{}}
      >
        <ArrowLeft aria-hidden size={16} />
        {collection.label}
      </Link>
      {facts && <StatusBadge row={facts} times={times} />}
      {session.readOnly === undefined && (
        <div className={styles['buttons']}>
          <Button isMain={facts === undefined || session.isLive} onPress={() => void session.saver.save()}>
            {t(session.isLive ? 'editor.saveLive' : label)}
          </Button>
          <PublishButtons session={session} />
        </div>
      )}
      <StateLine session={session} />
    </div>
  );
}
