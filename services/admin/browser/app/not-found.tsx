import { Link } from '@tanstack/react-router';
import { useMessages } from '../locales/messages.js';
import { Screen } from '../ui/screen.js';

/** The screen of an unknown path. */
export function NotFound() {
  const t = useMessages();
  return (
    <Screen title={t('notFound.title')}>
      <p>{t('notFound.explanation')}</p>
      <p className="actions">
        <Link className="button" to="/">
          {t('notFound.home')}
        </Link>
      </p>
    </Screen>
  );
}
