import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../locales/messages.js';
import { placeOf } from '../../time/site-time.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Select } from '../../ui/select.js';
import { TextField } from '../../ui/text-field.js';
import { FieldFilter } from './field-filter.js';
import styles from './filter-dialog.module.css';
import { useListContext } from './list-context.js';
import { authorsQuery } from './list-queries.js';
import { filterFieldsOf, taxonomiesOf } from './list-query.js';
import {
  dateFields,
  hasTooManyFilters,
  maxFilters,
  maxValues,
  withoutFilters,
  type DateField,
  type ListSearch,
} from './list-search.js';
import { TermFilter } from './term-filter.js';

/** The members of a record without those that are undefined. @returns undefined without any */
function present<Value>(record: Record<string, Value | undefined>): Record<string, Value> | undefined {
  const members = Object.entries(record).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** All filters of a list; they apply together. On a phone it is a sheet. */
export function FilterDialog({
  search,
  onApply,
  onClose,
}: {
  search: ListSearch;
  onApply: (search: ListSearch) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const { collection, bootstrap } = useListContext();
  const [form, setForm] = useState(search);
  const change = (part: Partial<ListSearch>) => setForm((current) => ({ ...current, ...part }));
  const { f = {}, t: terms = {} } = form;
  const isTooMuch = hasTooManyFilters(form);
  return (
    <Dialog title={t('filter.title')} isSheet onClose={onClose}>
      <div className={styles['form']}>
        <AuthorFilter form={form} onChange={change} />
        <DateFilter form={form} onChange={change} />
        {taxonomiesOf(collection, bootstrap.taxonomies, bootstrap.locales.default).map(({ name, label }) => (
          <TermFilter
            key={name}
            name={name}
            label={label}
            selected={terms[name] ?? []}
            onChange={(slugs) =>
              change({ t: present({ ...terms, [name]: slugs.length > 0 ? slugs : undefined }) })
            }
          />
        ))}
        {filterFieldsOf(collection).map((field) => (
          <FieldFilter
            key={field.slug}
            field={field}
            condition={f[field.slug]}
            onChange={(condition) => change({ f: present({ ...f, [field.slug]: condition }) })}
          />
        ))}
      </div>
      {isTooMuch && <p role="alert">{t('filter.tooMany', { maxFilters, maxValues })}</p>}
      <div className={`actions ${styles['footer']}`}>
        <Button isMain isDisabled={isTooMuch} onPress={() => onApply(form)}>
          {t('filter.apply')}
        </Button>
        <Button onPress={() => onApply({ ...withoutFilters(search), q: search.q })}>
          {t('filter.clear')}
        </Button>
        <Button onPress={onClose}>{t('dialog.cancel')}</Button>
      </div>
    </Dialog>
  );
}

interface PartProps {
  form: ListSearch;
  onChange: (part: Partial<ListSearch>) => void;
}

function AuthorFilter({ form: { author, view }, onChange }: PartProps) {
  const t = useMessages();
  const { collection } = useListContext();
  const { data } = useQuery(authorsQuery(collection.slug));
  if (view === 'mine') return null;
  const authors = data?.items ?? [];
  return (
    <Select
      label={t('column.author')}
      value={author ?? ''}
      options={[
        ['', t('filter.mode.any')],
        ...authors.map(({ id, name, email }) => [id, name ?? email] as const),
      ]}
      onChange={(id) => onChange({ author: id === '' ? undefined : id })}
    />
  );
}

function DateFilter({ form: { on, from, to }, onChange }: PartProps) {
  const t = useMessages();
  const { bootstrap } = useListContext();
  const { timezone } = bootstrap.site;
  return (
    <fieldset className={styles['dates']}>
      <legend>{t('filter.dates', { place: placeOf(timezone) })}</legend>
      <Select<DateField>
        label={t('filter.dates.of')}
        value={on ?? 'edited'}
        options={dateFields.map((field) => [field, t(`column.${field}`)])}
        onChange={(field) => onChange({ on: field === 'edited' ? undefined : field })}
      />
      <div className={styles['pair']}>
        <TextField
          type="date"
          label={t('filter.dates.from')}
          value={from ?? ''}
          onChange={(date) => onChange({ from: date === '' ? undefined : date })}
        />
        <TextField
          type="date"
          label={t('filter.dates.to')}
          value={to ?? ''}
          onChange={(date) => onChange({ to: date === '' ? undefined : date })}
        />
      </div>
    </fieldset>
  );
}
