import { useQuery } from '@tanstack/react-query';
import type { Field } from '../../api/bootstrap.js';
import { useMessages, type Translate } from '../../locales/messages.js';
import { Chip } from '../../ui/chip.js';
import styles from './filter-chips.module.css';
import { useListContext } from './list-context.js';
import { authorsQuery, termsQuery } from './list-queries.js';
import { knownConditions, taxonomiesOf } from './list-query.js';
import type { FieldCondition, ListSearch } from './list-search.js';

/** The active filters, each of which can be removed. */
export function FilterChips({
  search,
  onChange,
  onClear,
}: {
  search: ListSearch;
  onChange: (part: Partial<ListSearch>) => void;
  onClear: () => void;
}) {
  const t = useMessages();
  const { collection, bootstrap } = useListContext();
  const { author, from, to, on = 'edited', f = {}, t: terms = {} } = search;
  const conditions = knownConditions(search, collection);
  const taxonomies = taxonomiesOf(collection, bootstrap.taxonomies, bootstrap.locales.default).filter(
    ({ name }) => terms[name] !== undefined,
  );
  const hasDates = from !== undefined || to !== undefined;
  const hasAuthor = author !== undefined && search.view !== 'mine';
  if (!hasAuthor && !hasDates && conditions.length === 0 && taxonomies.length === 0) return null;
  return (
    <div role="group" aria-label={t('filter.active')} className={styles['chips']}>
      {hasAuthor && <AuthorChip author={author} onRemove={() => onChange({ author: undefined })} />}
      {hasDates && (
        <FilterChip
          label={t('filter.chip', { label: t(`column.${on}`), value: `${from ?? '…'} – ${to ?? '…'}` })}
          onRemove={() => onChange({ from: undefined, to: undefined, on: undefined })}
        />
      )}
      {taxonomies.map(({ name, label }) => (
        <TermChip
          key={name}
          name={name}
          label={label}
          slugs={terms[name] ?? []}
          onRemove={() => onChange({ t: without(terms, name) })}
        />
      ))}
      {conditions.map(([field, condition]) => (
        <FilterChip
          key={field.slug}
          label={t('filter.chip', { label: field.label, value: conditionText(t, field, condition) })}
          onRemove={() => onChange({ f: without(f, field.slug) })}
        />
      ))}
      <button type="button" className={styles['clear']} onClick={onClear}>
        {t('filter.clear')}
      </button>
    </div>
  );
}

function without<Value>(record: Record<string, Value>, key: string): Record<string, Value> | undefined {
  const rest = Object.entries(record).filter(([each]) => each !== key);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** A condition in words. */
function conditionText(t: Translate, { type }: Field, condition: FieldCondition): string {
  if (condition === null) return t('filter.mode.empty');
  if (typeof condition === 'boolean') return t(condition ? 'value.yes' : 'value.no');
  if (typeof condition !== 'object') return String(condition);
  if ('in' in condition) return condition.in.join(', ');
  const { gte, lte } = condition;
  const separator = type === 'datetime' ? ' – ' : '–';
  return `${gte ?? '…'}${separator}${lte ?? '…'}`;
}

function FilterChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const t = useMessages();
  return <Chip label={label} removeLabel={t('filter.remove', { label })} onRemove={onRemove} />;
}

function AuthorChip({ author, onRemove }: { author: string; onRemove: () => void }) {
  const t = useMessages();
  const { collection } = useListContext();
  const { data } = useQuery(authorsQuery(collection.slug));
  const found = data?.items.find(({ id }) => id === author);
  const value = found ? (found.name ?? found.email) : t('list.unknownUser');
  return <FilterChip label={t('filter.chip', { label: t('column.author'), value })} onRemove={onRemove} />;
}

function TermChip({
  name,
  label,
  slugs,
  onRemove,
}: {
  name: string;
  label: string;
  slugs: readonly string[];
  onRemove: () => void;
}) {
  const t = useMessages();
  const { data } = useQuery(termsQuery(name));
  type Terms = NonNullable<typeof data>['terms'];
  const labels = new Map<string, string>();
  const add = (terms: Terms) => {
    for (const term of terms) {
      labels.set(term.slug, term.label);
      add(term.children);
    }
  };
  add(data?.terms ?? []);
  const value = slugs.map((slug) => labels.get(slug) ?? slug).join(', ');
  return <FilterChip label={t('filter.chip', { label, value })} onRemove={onRemove} />;
}
