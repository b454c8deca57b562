import { AlertTriangle, History, Lock, Users } from 'lucide-react';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Banner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { isEqual } from '../document/equality.js';
import { useEditorContext, useFieldNames } from './editor-context.js';
import type { EntrySession } from './entry-session.js';
import { LeaseBanner } from './lease-banner.js';
import { UnsentText } from './unsent-text.js';
import { useKeepAsNew } from './use-keep-as-new.js';

/** What the user has to know of the entry beside the state of saving, and what can be done about it. */
export function EditorBanners({
  session,
  onReopen,
}: {
  session: EntrySession;
  onReopen: (takesOver?: boolean) => void;
}) {
  const t = useMessages();
  const { readOnly, orphans } = session;
  return (
    <>
      {readOnly === 'notAllowed' && (
        <Banner icon={<Lock aria-hidden size={18} />}>{t('editor.notAllowed')}</Banner>
      )}
      {readOnly === 'otherTab' && (
        <Banner
          icon={<Lock aria-hidden size={18} />}
          actions={<Button onPress={() => onReopen(true)}>{t('editor.editHere')}</Button>}
        >
          {t('editor.otherTab')}
        </Banner>
      )}
      <LeaseBanner session={session} />
      <StoppedBanner session={session} />
      <SchemaBanner session={session} onReopen={onReopen} />
      <StorageBanner session={session} />
      <RestoredBanner session={session} />
      <MergedBanner session={session} />
      {orphans.size > 0 && (
        <>
          <Banner icon={<AlertTriangle aria-hidden size={18} />}>{t('editor.orphans')}</Banner>
          <UnsentText values={orphans} />
        </>
      )}
    </>
  );
}

/** The fields of the collection have changed since the entry was opened. */
function SchemaBanner({ session, onReopen }: { session: EntrySession; onReopen: () => void }) {
  const t = useMessages();
  const { collection } = useEditorContext();
  if (isEqual(collection.fields, session.collection.fields)) return null;
  return (
    <Banner
      icon={<AlertTriangle aria-hidden size={18} />}
      actions={<Button onPress={() => onReopen()}>{t('editor.reload')}</Button>}
    >
      {t('editor.fieldsChanged')}
    </Banner>
  );
}

/** Nothing is kept in the browser: the text is only in memory until it is saved. */
function StorageBanner({ session: { journal } }: { session: EntrySession }) {
  const t = useMessages();
  const isAvailable = useSyncExternalStore(
    (listener) => journal?.subscribe(listener) ?? (() => undefined),
    () => journal?.isAvailable() ?? true,
  );
  if (isAvailable) return null;
  return <Banner icon={<AlertTriangle aria-hidden size={18} />}>{t('editor.noStorage')}</Banner>;
}

/** Changes of a former visit are in the fields again. */
function RestoredBanner({ session: { restored } }: { session: EntrySession }) {
  const t = useMessages();
  const { times } = useEditorContext();
  const [isShown, setShown] = useState(true);
  if (!restored || !isShown) return null;
  const time = times.clock(restored.at);
  return (
    <Dismissible icon={<History aria-hidden size={18} />} onDismiss={() => setShown(false)}>
      {t(restored.kind === 'merged' ? 'editor.restoredMerged' : 'editor.restored', { time })}{' '}
      <Button
        onPress={() => {
          restored.undo();
          setShown(false);
        }}
      >
        {t('action.undo')}
      </Button>
    </Dismissible>
  );
}

/** Changes of another editor are in the fields. */
function MergedBanner({ session: { saver } }: { session: EntrySession }) {
  const t = useMessages();
  const namesOf = useFieldNames();
  const { merged } = useSyncExternalStore(saver.subscribe, saver.getStatus);
  if (!merged) return null;
  const fields = namesOf(merged.fields);
  const name = merged.by?.name ?? t('editor.someone');
  return (
    <Dismissible icon={<Users aria-hidden size={18} />} onDismiss={() => saver.dismissMerged()}>
      {t('editor.merged', { name, fields })}
    </Dismissible>
  );
}

/** Saving has stopped because the entry, or the right to change it, has gone. */
function StoppedBanner({ session }: { session: EntrySession }) {
  const t = useMessages();
  const { line } = useSyncExternalStore(session.saver.subscribe, session.saver.getStatus);
  const keepAsNew = useKeepAsNew(session.copyTo);
  if (line.kind !== 'stopped' || (line.reason !== 'gone' && line.reason !== 'denied')) return null;
  return (
    <Banner
      icon={<AlertTriangle aria-hidden size={18} />}
      actions={<Button onPress={() => void keepAsNew()}>{t('editor.keepAsNew')}</Button>}
    >
      {t(`editor.stopped.${line.reason}`)}
    </Banner>
  );
}

function Dismissible({
  icon,
  onDismiss,
  children,
}: {
  icon: ReactNode;
  onDismiss: () => void;
  children: ReactNode;
}) {
  const t = useMessages();
  return (
    <Banner icon={icon} actions={<Button onPress={onDismiss}>{t('editor.dismiss')}</Button>}>
      {children}
    </Banner>
  );
}
