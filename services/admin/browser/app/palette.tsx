import { useNavigate } from '@tanstack/react-router';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Input, SearchField, Label } from 'react-aria-components/SearchField';
import { useMessages } from '../locales/messages.js';
import { setPreference, themes } from '../preferences/preferences-store.js';
import { Dialog } from '../ui/dialog.js';
import type { Collection } from '../api/bootstrap.js';
import type { Destination } from './destinations.js';
import styles from './palette.module.css';

interface Command {
  id: string;
  label: string;
  hint: string;
  run: () => void;
}

/** Finds a destination or an action by its name, and goes there. */
export function Palette({
  collections,
  destinations,
  onSignOut,
  onClose,
}: {
  collections: readonly Collection[];
  destinations: readonly Destination[];
  /** Undefined where the user cannot sign out here. */
  onSignOut: (() => void) | undefined;
  onClose: () => void;
}) {
  const t = useMessages();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const commands: Command[] = [
    ...collections.map(({ slug, label }) => ({
      id: `collection.${slug}`,
      label,
      hint: t('nav.content'),
      run: () => void navigate({ to: '/content/$collection', params: { collection: slug } }),
    })),
    ...destinations.map(({ label, hint, to }) => ({
      id: label,
      label: t(label),
      hint: t(hint),
      run: () => ('page' in to ? location.assign(to.page) : void navigate({ to: to.screen })),
    })),
    ...themes.map((theme) => ({
      id: `theme.${theme}`,
      label: t(`palette.theme.${theme}`),
      hint: t('palette.appearance'),
      run: () => setPreference('theme', theme),
    })),
    ...(onSignOut
      ? [{ id: 'sign-out', label: t('shell.signOut'), hint: t('nav.account'), run: onSignOut }]
      : []),
  ];
  return (
    <Dialog title={t('palette.title')} isTitleHidden onClose={onClose}>
      <Autocomplete filter={contains}>
        <SearchField autoFocus className={styles['search'] ?? ''}>
          <Label>{t('palette.search')}</Label>
          <Input />
        </SearchField>
        <Menu
          aria-label={t('palette.results')}
          items={commands}
          className={styles['results'] ?? ''}
          renderEmptyState={() => <p className={styles['empty']}>{t('palette.empty')}</p>}
          onAction={(id) => {
            onClose();
            commands.find((command) => command.id === id)?.run();
          }}
        >
          {({ id, label, hint }) => (
            <MenuItem id={id} textValue={label} className={styles['item'] ?? ''}>
              <span>{label}</span> <span className={styles['hint']}>{hint}</span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}
