import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '@quire/api-client';
import { useMessages } from '../../locales/messages.js';
import { Checkbox } from '../../ui/checkbox.js';
import { TextField } from '../../ui/text-field.js';
import styles from './filter-dialog.module.css';
import { termsQuery } from './list-queries.js';

/** More terms than this have a field that finds some of them. */
const maxWithoutSearch = 15;

type Term = DataOf<'listTerms'>['terms'][number];

/** Terms with their children after them. */
function flat(terms: readonly Term[], depth = 0): { term: Term; depth: number }[] {
  return terms.flatMap((term) => [{ term, depth }, ...flat(term.children, depth + 1)]);
}

/** The filter of a taxonomy: entries with one of the selected terms. */
export function TermFilter({
  name,
  label,
  selected,
  onChange,
}: {
  name: string;
  label: string;
  selected: readonly string[];
  onChange: (terms: string[]) => void;
}) {
  const t = useMessages();
  const { data, isPending, isError } = useQuery(termsQuery(name));
  const [text, setText] = useState('');
  const all = flat(data?.terms ?? []);
  const wanted = text.trim().toLowerCase();
  const shown = all.filter(({ term }) => term.label.toLowerCase().includes(wanted));
  return (
    <fieldset className={styles['terms']}>
      <legend>{label}</legend>
      {isPending && <p>{t('list.loading')}</p>}
      {isError && <p role="alert">{t('error.explanation')}</p>}
      {data && all.length === 0 && <p>{t('filter.noTerms')}</p>}
      {all.length > maxWithoutSearch && (
        <TextField label={t('filter.findTerm', { label })} value={text} onChange={setText} />
      )}
      <div className={styles['choices']}>
        {shown.map(({ term, depth }) => (
          <div key={term.id} style={{ marginInlineStart: `${depth}rem` }}>
            <Checkbox
              isChecked={selected.includes(term.slug)}
              onChange={(isChecked) =>
                onChange(isChecked ? [...selected, term.slug] : selected.filter((slug) => slug !== term.slug))
              }
            >
              {term.label}
            </Checkbox>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
