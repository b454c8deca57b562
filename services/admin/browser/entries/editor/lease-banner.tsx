import { UserRound } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Banner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import type { LeaseHolder } from '../document/write-failure.js';
import { useEditorContext } from './editor-context.js';
import type { EntrySession } from './entry-session.js';
import { useKeepAsNew } from './use-keep-as-new.js';

/** Another user edits the entry: who, since when, and how to go on. */
export function LeaseBanner({ session }: { session: EntrySession }) {
  const t = useMessages();
  const { times } = useEditorContext();
  const [isAsking, setAsking] = useState(false);
  const keepAsNew = useKeepAsNew(session.copyTo);
  const { holder, isLost } = useHolder(session);
  if (!holder) return null;
  const name = holder.userName ?? t('editor.someone');
  const time = times.clock(Date.parse(holder.acquiredAt));
  return (
    <>
      <Banner
        icon={<UserRound aria-hidden size={18} />}
        actions={
          session.lease && (
            <>
              <Button onPress={() => setAsking(true)}>
                {t(isLost ? 'lease.takeBack' : 'lease.takeOver')}
              </Button>
              {isLost && <Button onPress={() => void keepAsNew()}>{t('editor.keepAsNew')}</Button>}
            </>
          )
        }
      >
        {t(isLost ? 'lease.lost' : 'lease.other', { name, time })}
      </Banner>
      {isAsking && (
        <ConfirmDialog
          title={t('lease.question', { name })}
          confirmLabel={t('lease.takeOver')}
          onConfirm={() => {
            setAsking(false);
            void session.lease?.takeBack();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('lease.explanation', { name })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The other user who holds the lease; as the lease says once the user types, before that as the last poll says. */
function useHolder({ lease, presence }: EntrySession): { holder: LeaseHolder | undefined; isLost: boolean } {
  const { caller } = useEditorContext();
  const state = useSyncExternalStore(
    (listener) => lease?.subscribe(listener) ?? (() => undefined),
    () => lease?.getState(),
  );
  const status = useSyncExternalStore(presence.subscribe, presence.getStatus);
  if (state?.kind === 'other' || state?.kind === 'lost') return { holder: state.holder, isLost: true };
  const isUndecided = state === undefined || state.kind === 'none';
  const holder = isUndecided && status?.holder?.userId !== caller.userId ? status?.holder : undefined;
  return { holder: holder ?? undefined, isLost: false };
}
