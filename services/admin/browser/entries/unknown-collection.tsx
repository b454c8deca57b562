import { Link } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useMessages } from '../locales/messages.js';
import { Empty } from '../ui/empty.js';
import { Screen } from '../ui/screen.js';

/** The screen of a collection that the site does not have. */
export function UnknownCollection({ slug }: { slug: string }) {
  const t = useMessages();
  return (
    <Screen title={t('collection.notFound')}>
      <Empty
        icon={<FileQuestion aria-hidden size={32} />}
        title={t('collection.notFound.slug', { slug })}
        explanation={t('collection.notFound.explanation')}
      >
        <Link className="button" to="/">
          {t('notFound.home')}
        </Link>
      </Empty>
    </Screen>
  );
}
