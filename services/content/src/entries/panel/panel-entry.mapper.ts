import { isRelationField, searchText, type FieldDefinition } from '@quire/content-model';
import { JsonText, stringifyJson, truncateText } from '@quire/values';
import type { CollectionDefinition } from '../../schema/index.js';
import { knownValues, liveValues, stagedSlug, type EntryValues } from '../entry-row.js';
import { stagedOf } from '../references/reference-selection.js';
import type { PanelCell, PanelEntry } from './panel-entries.schemas.js';
import type { PanelRow } from './panel-entries.repository.js';

/** Characters of a text in a column. */
const maxCellLength = 200;
/** Choices of a column. */
const maxChoices = 20;

/** The fields of a collection that a list shows. */
export interface ShownFields {
  title: FieldDefinition | null;
  image: FieldDefinition | undefined;
  /** In the order of the request. */
  columns: readonly FieldDefinition[];
}

/** @returns the values that editors see of the shown fields: those of the draft, else the live ones. */
export function shownValues(
  { columns }: CollectionDefinition,
  row: PanelRow,
  shown: readonly FieldDefinition[],
): EntryValues {
  const slugs = new Set(shown.map(({ slug }) => slug));
  const definition = { columns: columns.filter(({ slug }) => slugs.has(slug)) };
  return row._draft ? knownValues(definition, row._draft) : liveValues(definition, row);
}

/** @param values of `shownValues`, with the addresses of their images */
export function toPanelEntry(
  row: PanelRow,
  values: EntryValues,
  { title, image, columns }: ShownFields,
  nameOf: (userId: string) => string | null,
): PanelEntry {
  const { id, status, createdAt, publishedAt, scheduledAt, deletedAt, authorId, _lock: lock } = row;
  const cellOf = (field: FieldDefinition) =>
    isRelationField(field) ? linkCount(row, field) : toCell(field, values[field.slug]);
  return {
    id,
    title: title && titleOf(values[title.slug]),
    slug: stagedSlug(row) ?? row.slug,
    status,
    isChanged: row.isChanged,
    isOverdue: row.isOverdue,
    locale: row._locale,
    translationGroup: row._group,
    translations: row._translations ?? [],
    columns: Object.fromEntries(columns.map((field) => [field.slug, cellOf(field)])),
    image: image ? imageOf(values[image.slug]) : null,
    author: authorId === null ? null : { id: authorId, name: nameOf(authorId) },
    bylines: (row._bylines ?? []).map(({ byline }) => byline.displayName),
    createdAt,
    editedAt: row.editedAt ?? row.updatedAt,
    publishedAt,
    scheduledAt,
    ...(deletedAt === null ? {} : { deletedAt }),
    lock: lock ? { userId: lock.userId, userName: lock.userName, expiresAt: String(lock.expiresAt) } : null,
  };
}

const titleOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? truncateText(value, maxCellLength) : null;

/** The staged links of a field, else its live ones. */
function linkCount(row: PanelRow, { slug }: FieldDefinition): number {
  return stagedOf(row)[slug]?.length ?? row._links?.[slug] ?? 0;
}

function toCell(field: FieldDefinition, value: unknown): PanelCell {
  if (value === null || value === undefined) return null;
  switch (field.type) {
    case 'number':
    case 'integer':
    case 'boolean':
    case 'datetime':
      return value as number | boolean | string;
    case 'multiSelect':
      return [value]
        .flat()
        .slice(0, maxChoices)
        .map((choice) => truncateText(String(choice), maxCellLength));
    case 'image':
      return imageOf(value);
    case 'file':
      return textMember(value, 'filename');
    case 'reference':
    case 'repeater':
    case 'blocks':
      return [value].flat().length;
    case 'json':
      return truncateText(value instanceof JsonText ? value.text : stringifyJson(value), maxCellLength);
    default:
      return truncateText(searchText(field, value), maxCellLength);
  }
}

function imageOf(value: unknown): { src: string; alt: string | null } | null {
  const src = textMember(value, 'src');
  return src === null ? null : { src, alt: textMember(value, 'alt') };
}

function textMember(value: unknown, name: string): string | null {
  const member: unknown = (value as Record<string, unknown> | undefined)?.[name];
  return typeof member === 'string' ? member : null;
}
