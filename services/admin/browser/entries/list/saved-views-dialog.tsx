import { can } from '@quire/permissions';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useMessages } from '../../locales/messages.js';
import { useReported } from '../../api/use-reported.js';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/checkbox.js';
import { Dialog } from '../../ui/dialog.js';
import { IconButton } from '../../ui/icon-button.js';
import { TextField } from '../../ui/text-field.js';
import { useListContext } from './list-context.js';
import type { ListSearch } from './list-search.js';
import styles from './saved-views-dialog.module.css';
import {
  deleteView,
  maxViewLength,
  maxViewNameLength,
  savedViewsQuery,
  saveView,
  searchOf,
  type SavedView,
} from './saved-views.js';

/** Opens, saves and deletes views of the list: its search, filters, order and columns. */
export function SavedViewsDialog({
  onOpen,
  onClose,
}: {
  onOpen: (search: ListSearch) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const client = useQueryClient();
  const reported = useReported();
  const { collection, isReadOnly } = useListContext();
  const query = savedViewsQuery(collection.slug);
  const { data: views = [], isPending } = useQuery(query);
  const change = (work: Promise<void>) =>
    reported(work.then(() => client.invalidateQueries({ queryKey: query.queryKey })));
  const current = location.search.slice(1);
  return (
    <Dialog title={t('views.title')} isSheet onClose={onClose}>
      {views.length === 0 && !isPending && <p>{t('views.none')}</p>}
      <ul className={styles['views']} aria-label={t('views.title')}>
        {views.map((view) => (
          <ViewItem
            key={view.id}
            view={view}
            isCurrent={view.search === current}
            onOpen={() => onOpen(searchOf(view))}
            onDelete={() => change(deleteView(collection.slug, view.id))}
          />
        ))}
      </ul>
      {!isReadOnly && (
        <SaveForm
          isTooLong={current.length > maxViewLength}
          onSave={(name, isShared) => change(saveView(collection.slug, { name, isShared, search: current }))}
        />
      )}
      <div className="actions">
        <Button onPress={onClose}>{t('dialog.close')}</Button>
      </div>
    </Dialog>
  );
}

function ViewItem({
  view: { name, isShared, ownerId },
  isCurrent,
  onOpen,
  onDelete,
}: {
  view: SavedView;
  isCurrent: boolean;
  onOpen: () => void;
  onDelete: () => void;
}) {
  const t = useMessages();
  const { caller, isReadOnly } = useListContext();
  const mayDelete = ownerId === caller.userId || (isShared && can(caller, 'content:edit_any'));
  return (
    <li aria-current={isCurrent || undefined}>
      <Button onPress={onOpen}>
        {isShared && <Users aria-label={t('views.shared')} size={16} />}
        {name}
      </Button>
      {mayDelete && !isReadOnly && (
        <IconButton label={t('views.delete', { name })} onPress={onDelete}>
          <Trash2 aria-hidden size={16} />
        </IconButton>
      )}
    </li>
  );
}

/** Saves the list as it is under a name. Sharing is for those who may edit the entries of all. */
function SaveForm({
  isTooLong,
  onSave,
}: {
  isTooLong: boolean;
  onSave: (name: string, isShared: boolean) => void;
}) {
  const t = useMessages();
  const { caller } = useListContext();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  if (isTooLong) return <p>{t('views.tooLong')}</p>;
  const trimmed = name.trim();
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed === '') return;
        onSave(trimmed.slice(0, maxViewNameLength), isShared);
        setName('');
      }}
    >
      <TextField label={t('views.name')} value={name} onChange={setName} />
      {can(caller, 'content:edit_any') && (
        <Checkbox isChecked={isShared} onChange={setShared}>
          {t('views.share')}
        </Checkbox>
      )}
      <button type="submit" className="button main" disabled={trimmed === ''}>
        {t('views.save')}
      </button>
    </form>
  );
}
