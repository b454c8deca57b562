import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { bootstrapQuery, visibleCollections } from '../api/bootstrap.js';
import { manifestQuery, meQuery, signsInHere } from '../api/client.js';
import { useMessages } from '../locales/messages.js';
import { SessionDialog } from '../session/session-dialog.js';
import { signOut } from '../session/sign-out.js';
import { SignOutDialog } from '../session/sign-out-dialog.js';
import { useReported } from '../api/use-reported.js';
import { Button } from '../ui/button.js';
import { ErrorBox } from '../ui/error-box.js';
import { Mark } from '../ui/mark.js';
import { Toasts } from '../ui/toasts.js';
import { destinationsOf } from './destinations.js';
import { Navigation } from './navigation.js';
import { Palette } from './palette.js';
import { SiteState } from './site-state.js';
import styles from './shell.module.css';

/** The frame of all screens: site, navigation by role, palette and sign-out; and the dialog of an ended session. */
export function Shell() {
  const t = useMessages();
  const me = useQuery(meQuery);
  const manifest = useQuery(manifestQuery);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  usePaletteShortcut(() => setPaletteOpen(true));
  const siteName = manifest.data?.admin?.siteName ?? location.host;
  const canSignInHere = signsInHere(manifest.data);
  const destinations =
    me.data && manifest.data ? destinationsOf(me.data, { signsInHere: canSignInHere }) : [];
  const bootstrap = useQuery(bootstrapQuery);
  const collections = bootstrap.data ? visibleCollections(bootstrap.data) : [];
  const error = me.error ?? manifest.error;
  const main = useFocusOnNavigation();
  const reported = useReported();

  return (
    <>
      <a className={styles['skip']} href="#main">
        {t('shell.skip')}
      </a>
      <header className={styles['bar']}>
        <span className={styles['brand']}>
          <Mark />
          <span>{siteName}</span>
        </span>
        <Button onPress={() => setPaletteOpen(true)} isDisabled={destinations.length === 0}>
          <Search aria-hidden size={16} />
          <span>{t('palette.open')}</span>
          <kbd aria-hidden>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
        </Button>
        <div className={styles['who']}>
          <span className={styles['email']}>{me.data?.email}</span>
          {me.data && canSignInHere && (
            <Button onPress={() => reported(signOut(me.data.id))}>{t('shell.signOut')}</Button>
          )}
        </div>
      </header>
      <SiteState />
      <div className={styles['body']}>
        <Navigation collections={collections} destinations={destinations} />
        <main id="main" ref={main} tabIndex={-1}>
          {error && !me.data ? <ErrorBox error={error} onRetry={() => void me.refetch()} /> : <Outlet />}
        </main>
      </div>
      {isPaletteOpen && (
        <Palette
          collections={collections}
          destinations={destinations}
          onSignOut={canSignInHere && me.data ? () => reported(signOut(me.data.id)) : undefined}
          onClose={() => setPaletteOpen(false)}
        />
      )}
      <Toasts />
      <SessionDialog />
      <SignOutDialog />
    </>
  );
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the palette with Ctrl+K, or with Command+K on Apple's systems. */
function usePaletteShortcut(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = isApple() ? event.metaKey : event.ctrlKey;
      if (!hasModifier || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}

/** Moves the focus to the new screen after a navigation, so that screen readers read it; not at the first one. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current !== path) main.current?.focus();
    previous.current = path;
  }, [path]);
  return main;
}
