import { fromColumn, searchText, type FieldDefinition } from '@quire/content-model';
import type { contentApi } from '@quire/internal-api';
import { stagedSlug } from '../../entries/index.js';
import type { SearchRow } from './search-documents.repository.js';
import type { SearchShape } from './search-shape.js';

export type SearchView = contentApi.SearchDocuments['documents'][number]['views'][number];

/**
 * The texts of an entry, each with the statuses of the searches that find it (decision 40): an entry is found
 * in its status and in `all` by one text. A published entry with a staged draft is found by its live text in
 * `published`, by the staged text in `draft`, and in `all` by both; with a pending schedule it is found in
 * `scheduled` as well.
 */
export function viewsOf(row: SearchRow, shape: SearchShape): SearchView[] {
  const { _status: status, _isScheduled: isScheduled, _draft: draft } = row;
  const live = textsOf(shape, row.slug, (field) => fromColumn(field, row[field.slug]));
  const staged = draft && textsOf(shape, stagedSlug(row) ?? row.slug, ({ slug }) => ownValue(draft, slug));
  if (status !== 'published') return [{ statuses: [status, 'all'], ...(staged ?? live) }];
  const scheduled = isScheduled ? (['scheduled'] as const) : [];
  if (!staged) return [{ statuses: ['published', ...scheduled, 'all'], ...live }];
  return [
    { statuses: ['published'], ...live },
    { statuses: ['draft', ...scheduled], ...staged },
    { statuses: ['all'], ...both(staged, live, shape) },
  ];
}

type Texts = Omit<SearchView, 'statuses'>;

function textsOf(
  { title, searchable }: SearchShape,
  slug: string | null,
  valueOf: (field: FieldDefinition) => unknown,
): Texts {
  const textOf = (field: FieldDefinition) => searchText(field, valueOf(field));
  const titleText = title ? textOf(title) : '';
  const others = searchable.filter((field) => field !== title);
  return {
    slug,
    title: titleText === '' ? null : titleText,
    fields: Object.fromEntries(
      others.map((field) => [field.slug, textOf(field)]).filter(([, text]) => text !== ''),
    ) as Record<string, string>,
  };
}

/**
 * The staged texts, with the live ones where those differ. A live title is found where titles are, as any
 * other text.
 */
function both(staged: Texts, live: Texts, { title, searchable }: SearchShape): Texts {
  const fields = new Map(Object.entries(staged.fields));
  const add = (slug: string, text: string) => {
    const known = fields.get(slug);
    if (known !== text) fields.set(slug, known === undefined ? text : `${known}\n${text}`);
  };
  for (const [slug, text] of Object.entries(live.fields)) add(slug, text);
  const hasTitle = title !== null && searchable.includes(title);
  if (hasTitle && live.title !== null && live.title !== staged.title) add(title.slug, live.title);
  return { ...staged, fields: Object.fromEntries(fields) };
}

const ownValue = (data: Record<string, unknown>, slug: string): unknown =>
  Object.hasOwn(data, slug) ? data[slug] : null;
