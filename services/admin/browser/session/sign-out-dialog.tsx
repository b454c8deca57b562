import { useMessages } from '../locales/messages.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { cancelSignOut, deleteTexts, endSession, usePendingSignOut } from './sign-out.js';
import { useReported } from '../api/use-reported.js';

/** Asks what becomes of texts that are not saved when their user signs out of this device. */
export function SignOutDialog() {
  const t = useMessages();
  const pending = usePendingSignOut();
  const reported = useReported();
  if (!pending) return null;
  const { userId, textCount } = pending;
  return (
    <Dialog title={t('signOut.title', { count: textCount })} onClose={cancelSignOut}>
      <p>{t('signOut.explanation')}</p>
      <div className="actions">
        <Button isMain onPress={() => reported(endSession())}>
          {t('signOut.keep')}
        </Button>
        <Button isDanger onPress={() => reported(deleteTexts(userId).then(endSession))}>
          {t('signOut.delete')}
        </Button>
        <Button onPress={cancelSignOut}>{t('dialog.cancel')}</Button>
      </div>
    </Dialog>
  );
}
