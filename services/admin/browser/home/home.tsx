import { useQuery } from '@tanstack/react-query';
import { roleNamed } from '@quire/permissions';
import { manifestQuery, meQuery, signsInHere } from '../api/client.js';
import { DestinationLink } from '../app/destination-link.js';
import { destinationsOf } from '../app/destinations.js';
import { useMessages } from '../locales/messages.js';
import { Screen } from '../ui/screen.js';
import { HomeLists } from './home-lists.js';
import styles from './home.module.css';
import { UnsentTexts } from './unsent-texts.js';

/** The first screen: who is signed in where, what to continue with, and where to go from here. */
export function Home() {
  const t = useMessages();
  const { data: me } = useQuery(meQuery);
  const { data: manifest } = useQuery(manifestQuery);
  if (!me || !manifest) return <Screen title={t('home.title')} isLoading />;
  const role = roleNamed(me.role);
  const canSignInHere = signsInHere(manifest);
  return (
    <Screen title={me.name ? t('home.welcome', { name: me.name }) : t('home.title')}>
      <p className={styles['facts']}>
        {t('home.site', { site: manifest.admin?.siteName ?? location.host })}{' '}
        {role && t('home.role', { email: me.email, role: t(`role.${role}`) })}
      </p>
      <UnsentTexts userId={me.id} />
      <HomeLists />
      <ul className={styles['cards']}>
        {destinationsOf(me, { signsInHere: canSignInHere })
          .filter(({ label }) => label !== 'nav.home')
          .map((destination) => (
            <li key={destination.label}>
              <DestinationLink to={destination.to}>{t(destination.label)}</DestinationLink>
              <p>{t(destination.hint)}</p>
            </li>
          ))}
      </ul>
    </Screen>
  );
}
