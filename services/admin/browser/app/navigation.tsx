import { useMessages } from '../locales/messages.js';
import type { Collection } from '../api/bootstrap.js';
import { DestinationLink } from './destination-link.js';
import type { Destination } from './destinations.js';
import styles from './navigation.module.css';

/** The links to the collections of the site, and to the destinations of the role. */
export function Navigation({
  collections,
  destinations,
}: {
  collections: readonly Collection[];
  destinations: readonly Destination[];
}) {
  const t = useMessages();
  return (
    <nav aria-label={t('shell.navigation')} className={styles['nav']}>
      {collections.length > 0 && (
        <>
          <h2 id="content-heading">{t('nav.content')}</h2>
          <ul aria-labelledby="content-heading">
            {collections.map(({ slug, label }) => (
              <li key={slug}>
                <DestinationLink to={{ collection: slug }}>{label}</DestinationLink>
              </li>
            ))}
          </ul>
        </>
      )}
      <ul>
        {destinations.map(({ label, to }) => (
          <li key={label}>
            <DestinationLink to={to}>{t(label)}</DestinationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
