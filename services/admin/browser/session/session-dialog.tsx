import { isSignedOut } from '@quire/api-client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { api, manifestQuery, meQuery, signsInHere } from '../api/client.js';
import { links } from '../app/destinations.js';
import { useMessages } from '../locales/messages.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { canUsePasskeys, signInWithPasskey } from './passkey.js';
import { session, signInChannel } from './session-state.js';

/** Over the unchanged screen when the session has ended: the user signs in again, and the screen goes on. */
export function SessionDialog() {
  const isOver = useSyncExternalStore(session.subscribe, session.isOver);
  return isOver ? <SignInDialog /> : null;
}

function SignInDialog() {
  const t = useMessages();
  const { data: manifest } = useQuery({ ...manifestQuery, enabled: false });
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const resume = useResume(me?.id);
  const canSignInHere = signsInHere(manifest);

  async function signIn() {
    setProblem('');
    setBusy(true);
    try {
      await signInWithPasskey(me?.email);
      await resume();
    } catch {
      setProblem(t('session.failed'));
    }
    setBusy(false);
  }

  return (
    <Dialog title={t('session.over')}>
      <p>{canSignInHere ? t('session.explanation') : t('session.proxy')}</p>
      <p role="alert">{problem}</p>
      <div className="actions">
        {canSignInHere && canUsePasskeys() && (
          <Button isMain isPending={isBusy} onPress={() => void signIn()}>
            {t('session.passkey')}
          </Button>
        )}
        <a className="button" href={links.signInAgain} target="_blank" rel="noopener">
          {canSignInHere ? t('session.other') : t('session.openTab')}
        </a>
      </div>
    </Dialog>
  );
}

/**
 * Closes the dialog when the user is signed in again, in this tab or in another one. Another user gets the panel from
 * its start: the screen belongs to the first one.
 */
function useResume(userId: string | undefined): () => Promise<void> {
  const queries = useQueryClient();
  const isRunning = useRef(false);
  const resume = useCallback(async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      const { id } = await api.call('getMe');
      if (userId !== undefined && id !== userId) return location.assign(links.panel);
      session.resume();
      await queries.invalidateQueries();
    } catch (error) {
      if (!isSignedOut(error)) throw error;
    } finally {
      isRunning.current = false;
    }
  }, [queries, userId]);
  useEffect(() => {
    const channel = new BroadcastChannel(signInChannel);
    const check = () => void resume().catch(() => undefined);
    channel.addEventListener('message', check);
    window.addEventListener('focus', check);
    return () => {
      channel.close();
      window.removeEventListener('focus', check);
    };
  }, [resume]);
  return resume;
}
