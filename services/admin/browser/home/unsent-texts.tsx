import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { bootstrapQuery, titleFieldOf, type Bootstrap } from '../api/bootstrap.js';
import { journalStore } from '../entries/document/browser-journal.js';
import type { Draft } from '../entries/document/journal-store.js';
import { newEntryId } from '../entries/editor/entry-search.js';
import { unsentTextsQuery } from '../entries/unsent-texts.js';
import { useMessages } from '../locales/messages.js';
import { useTimeFormatters } from '../time/formatters.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import styles from './home-lists.module.css';

/** What a user has typed on this device and the site does not have: also new entries that were never created. */
export function UnsentTexts({ userId }: { userId: string }) {
  const t = useMessages();
  const { data: bootstrap } = useQuery(bootstrapQuery);
  const [deleted, setDeleted] = useState<Draft>();
  const { data: texts = [], refetch } = useQuery(unsentTextsQuery(userId));
  if (texts.length === 0 || !bootstrap) return null;
  return (
    <div className={styles['lists']}>
      <section aria-labelledby="home-unsent">
        <h2 id="home-unsent">{t('home.unsent')}</h2>
        <ul>
          {texts.map((text) => (
            <UnsentText
              key={`${text.collection}/${text.id}`}
              text={text}
              bootstrap={bootstrap}
              onDelete={() => setDeleted(text)}
            />
          ))}
        </ul>
      </section>
      {deleted && (
        <ConfirmDialog
          title={t('home.unsent.question', { title: titleOf(deleted, bootstrap) ?? t('list.untitled') })}
          confirmLabel={t('home.unsent.delete')}
          isDanger
          onConfirm={() => {
            setDeleted(undefined);
            void journalStore.delete(deleted).then(() => refetch());
          }}
          onClose={() => setDeleted(undefined)}
        >
          <p>{t('home.unsent.explanation')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function UnsentText({
  text,
  bootstrap,
  onDelete,
}: {
  text: Draft;
  bootstrap: Bootstrap;
  onDelete: () => void;
}) {
  const t = useMessages();
  const times = useTimeFormatters(bootstrap.site.timezone);
  const { collection, id, baseRev, at } = text;
  const isNew = baseRev === undefined;
  const typedAt = new Date(at).toISOString();
  const title = titleOf(text, bootstrap) ?? t('list.untitled');
  return (
    <li>
      <Link
        className={styles['title']}
        to="/content/$collection/$id"
        params={{ collection, id: isNew ? newEntryId : id }}
        search={isNew ? { draft: id } : {}}
      >
        {title}
      </Link>
      <Button onPress={onDelete}>
        {t('home.unsent.delete')}
        <span className="visually-hidden"> {title}</span>
      </Button>
      <span className={styles['facts']}>
        <span>{bootstrap.collections.find(({ slug }) => slug === collection)?.label ?? collection}</span>
        <time dateTime={typedAt} title={times.exact(typedAt)}>
          {t('home.unsent.typed', { time: times.relative(typedAt) })}
        </time>
      </span>
    </li>
  );
}

/** The title in a text; undefined where it was not changed, or is empty. */
function titleOf({ collection: slug, fields }: Draft, { collections }: Bootstrap): string | undefined {
  const collection = collections.find((each) => each.slug === slug);
  const key = collection && titleFieldOf(collection)?.slug;
  const title = key === undefined ? undefined : fields.get(key)?.value;
  return typeof title === 'string' && title !== '' ? title : undefined;
}
