import type { FieldType } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import type { Item } from '@quire/import-sources';
import type { contentImportApi } from '@quire/internal-api';
import { OffsetSamples, parseItem, type ExportComment, type ExportItem } from '../../export-file/index.js';
import { entryFromSourceItem } from '../../sources/index.js';
import type { StoredItem } from '../import-items.repository.js';
import { lookUp } from '../import-state.js';
import type { ImportRow } from '../imports.repository.js';
import { entryFromItem, type ConvertedEntry } from './entry-from-item.js';
import type { Credit } from './credit.js';
import { loadLookups, loadRelations } from './lookups.js';

/** An item with its entry, and its comments. */
export interface ConvertedItem extends ConvertedEntry {
  position: number;
  comments: readonly ExportComment[];
}

/** What all items of an import are converted with. */
export interface ConversionSource {
  row: ImportRow;
  credits: ReadonlyMap<string, Credit>;
  targets: contentImportApi.ImportTargets;
}

/** Converts stored items, whose sources are given in the same order, to entries. */
export type ItemConverter = (
  sql: Queryable,
  stored: readonly StoredItem[],
  sources: readonly Buffer[],
) => Promise<ConvertedItem[]>;

/** The converter of an import: of items of an export file, or of items that a custom source has delivered. */
export function itemConverter(source: ConversionSource): ItemConverter {
  return source.row.source === 'wxr' ? exportItemConverter(source) : sourceItemConverter(source);
}

function exportItemConverter(source: ConversionSource): ItemConverter {
  const { row, credits } = source;
  const { channel, config } = row;
  const { fieldsOf, storedLocale } = targetsOf(source);
  const offsets = channel.offsets ? OffsetSamples.from(channel.offsets) : new OffsetSamples();
  return async (sql, stored, sources) => {
    const items = sources.map((bytes) => parseItem(bytes, channel.namespaces));
    const lookups = await loadLookups(sql, row, stored, items);
    const now = new Date();
    return stored.map((indexed, index) => {
      const item = items[index] as ExportItem;
      const collection = lookUp(config.mappings, indexed.sourceType) ?? '';
      const converted = entryFromItem(item, indexed.position, {
        collection,
        fields: fieldsOf(collection),
        locale: config.locale,
        storedLocale,
        offsets,
        now,
        credits,
        parentType: lookups.parentTypeOf(indexed),
        anchor: lookups.anchorOf(indexed),
        conversion: lookups.conversionOf(item, channel.siteUrl),
      });
      return { ...converted, position: indexed.position, comments: item.comments };
    });
  };
}

function sourceItemConverter(source: ConversionSource): ItemConverter {
  const { row, credits } = source;
  const { config } = row;
  const { fieldsOf, storedLocale } = targetsOf(source);
  return async (sql, stored, sources) => {
    const relations = await loadRelations(sql, row, stored);
    const now = new Date();
    return stored.map((indexed, index) => {
      const item = JSON.parse(String(sources[index])) as Item;
      const collection = lookUp(config.mappings, indexed.sourceType) ?? '';
      const converted = entryFromSourceItem(item, indexed.position, {
        collection,
        fields: fieldsOf(collection),
        locale: config.locale,
        storedLocale,
        now,
        credit: item.author === undefined ? undefined : credits.get(item.author),
        parentType: relations.parentTypeOf(indexed),
        anchor: relations.anchorOf(indexed),
      });
      return { ...converted, position: indexed.position, comments: [] };
    });
  };
}

function targetsOf({ targets }: ConversionSource) {
  const fields = new Map(
    targets.collections.map((collection) => [
      collection.slug,
      new Map(collection.fields.map(({ slug, type }) => [slug, type as FieldType])),
    ]),
  );
  const locales = targets.locales && new Map(targets.locales.map((locale) => [locale.toLowerCase(), locale]));
  return {
    fieldsOf: (collection: string): ReadonlyMap<string, FieldType> => fields.get(collection) ?? new Map(),
    storedLocale: (locale: string) => {
      const code = locale.replaceAll('_', '-');
      return locales ? locales.get(code.toLowerCase()) : canonicalLocale(code);
    },
  };
}

/** A site without configured locales has every well-formed one. */
function canonicalLocale(code: string): string | undefined {
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(code) ? Intl.getCanonicalLocales(code)[0] : undefined;
}
