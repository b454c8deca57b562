import { useEffect } from 'react';
import { useMessages } from '../locales/messages.js';
import { Screen } from '../ui/screen.js';
import { signInChannel } from './session-state.js';

/** The screen after a sign-in in a separate tab: it reports the sign-in to the tab that asked for it. */
export function SignedIn() {
  const t = useMessages();
  useEffect(() => {
    const channel = new BroadcastChannel(signInChannel);
    channel.postMessage('signed-in');
    return () => channel.close();
  }, []);
  return (
    <Screen title={t('signedIn.title')}>
      <p>{t('signedIn.explanation')}</p>
    </Screen>
  );
}
