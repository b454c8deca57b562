import type { Context } from '@quire/context';
import type { FieldType } from '@quire/content-model';
import type { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import { OffsetSamples, parseItem, type ExportItem } from '../../export-file/index.js';
import { readItems } from '../read-items.js';
import { selectPendingItems, type StoredItem } from '../import-items.repository.js';
import { lookUp, type ImportChannel, type ImportConfig } from '../import-state.js';
import type { ImportRow } from '../imports.repository.js';
import type { Credit } from '../phases/bylines.js';
import { entryFromItem, type ConvertedEntry } from './entry-from-item.js';
import { loadLookups, type Lookups } from './lookups.js';

const maxItems = 100;
/** Bytes of the sources of one batch; a single item may be larger. */
const maxBytes = 4 * 1024 * 1024;

/** An item with its entry. */
export interface ConvertedItem extends ConvertedEntry {
  position: number;
  item: ExportItem;
}

/** Items that are written together. */
export interface ContentBatch {
  items: ConvertedItem[];
  /** The last position among them. */
  cursor: number;
}

interface BatchSource {
  channel: ImportChannel;
  config: ImportConfig;
  credits: ReadonlyMap<string, Credit>;
  targets: contentImportApi.ImportTargets;
}

/** Reads the entries of an import from its file and converts them. */
export class ContentBatches {
  private readonly offsets: OffsetSamples;
  private readonly fieldsOf: ReadonlyMap<string, ReadonlyMap<string, FieldType>>;
  private readonly locales: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly deps: TransferDeps,
    private readonly row: ImportRow,
    private readonly source: BatchSource,
  ) {
    const { channel, targets } = source;
    this.offsets = channel.offsets ? OffsetSamples.from(channel.offsets) : new OffsetSamples();
    this.fieldsOf = new Map(
      targets.collections.map(({ slug, fields }) => [
        slug,
        new Map(fields.map((field) => [field.slug, field.type as FieldType])),
      ]),
    );
    this.locales = targets.locales
      ? new Map(targets.locales.map((locale) => [locale.toLowerCase(), locale]))
      : undefined;
  }

  /** The batch after a position; undefined when there is none. */
  async read(after: number): Promise<ContentBatch | undefined> {
    const page = { kind: 'content', after, limit: maxItems } as const;
    const stored = withinBytes(await selectPendingItems(this.ctx.db, this.row.id, page));
    const last = stored.at(-1);
    if (!last) return undefined;
    const parts = await readItems(this.deps.store, this.row.fileKey, stored);
    const items = parts.map((bytes) => parseItem(bytes, this.source.channel.namespaces));
    const lookups = await loadLookups(this.ctx.db, this.row, stored, items);
    return {
      cursor: last.position,
      items: items.map((item, index) => {
        const { position } = stored[index] as StoredItem;
        return { position, item, ...this.convert(item, position, stored[index] as StoredItem, lookups) };
      }),
    };
  }

  private convert(item: ExportItem, position: number, stored: StoredItem, lookups: Lookups): ConvertedEntry {
    const { channel, config, credits } = this.source;
    const collection = lookUp(config.mappings, item.type) ?? '';
    const parent = stored.parentId === null ? undefined : lookups.parents.get(stored.parentId);
    return entryFromItem(item, position, {
      collection,
      fields: this.fieldsOf.get(collection) ?? new Map<string, FieldType>(),
      locale: config.locale,
      storedLocale: (locale) => this.storedLocale(locale),
      offsets: this.offsets,
      now: new Date(),
      credits,
      parentType: parent,
      anchor: stored.languageGroup === null ? undefined : lookups.anchors.get(stored.languageGroup),
      conversion: lookups.conversionOf(item, channel.siteUrl),
    });
  }

  /** A site without configured locales has every well-formed one. */
  private storedLocale(locale: string): string | undefined {
    const code = locale.replaceAll('_', '-');
    if (this.locales) return this.locales.get(code.toLowerCase());
    return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(code) ? Intl.getCanonicalLocales(code)[0] : undefined;
  }
}

/** The first items whose bytes are within the limit, at least one. */
function withinBytes(items: readonly StoredItem[]): StoredItem[] {
  let bytes = 0;
  return items.filter(({ length }, index) => {
    bytes += length;
    return index === 0 || bytes <= maxBytes;
  });
}
