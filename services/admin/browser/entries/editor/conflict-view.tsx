import { Fragment } from 'react';
import type { Field } from '../../api/bootstrap.js';
import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import type { EntryDocument } from '../document/entry-document.js';
import type { FieldConflict, ItemConflict } from '../document/merge-conflict.js';
import styles from './conflict-view.module.css';
import { valueText } from './value-text.js';
import { wordDifference } from './word-difference.js';

/** What another editor has made of a field that the user has changed, too, and the decision between both. */
export function ConflictView({
  field,
  conflict,
  entry,
}: {
  field: Field;
  conflict: FieldConflict;
  entry: EntryDocument;
}) {
  const t = useMessages();
  return (
    <section className={styles['conflict']} aria-label={t('conflict.label', { field: field.label })}>
      <p>{t('conflict.explanation')}</p>
      {conflict.items.map((item) => (
        <ConflictItem
          key={item.path.join('/')}
          item={item}
          onChoose={(choice) => entry.resolve(field.slug, choice, item.path)}
          allowsBoth={field.type === 'string' || field.type === 'text' || item.path.length > 0}
        />
      ))}
    </section>
  );
}

function ConflictItem({
  item: { mine, theirs },
  allowsBoth,
  onChoose,
}: {
  item: ItemConflict;
  allowsBoth: boolean;
  onChoose: (choice: 'mine' | 'theirs' | 'both') => void;
}) {
  const t = useMessages();
  const [own, other] = [valueText(t, mine), valueText(t, theirs)];
  return (
    <>
      <div className={styles['sides']}>
        <Side title={t('conflict.mine')} text={own} beside={other} />
        <Side title={t('conflict.theirs')} text={other} beside={own} />
      </div>
      <div className="actions">
        <Button onPress={() => onChoose('mine')}>{t('conflict.keepMine')}</Button>
        <Button onPress={() => onChoose('theirs')}>{t('conflict.takeTheirs')}</Button>
        {allowsBoth && <Button onPress={() => onChoose('both')}>{t('conflict.keepBoth')}</Button>}
      </div>
    </>
  );
}

/** A text, with the words marked that the other one does not have. */
function Side({ title, text, beside }: { title: string; text: string; beside: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <p className={styles['text']}>
        {wordDifference(text, beside).map(({ text: part, isOwn }, index) => (
          <Fragment key={index}>{isOwn ? <mark>{part}</mark> : part}</Fragment>
        ))}
      </p>
    </div>
  );
}
