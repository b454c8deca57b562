import type { Context } from '@quire/context';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { KnownMedia } from '../../media/index.js';
import { selectPendingItems, type StoredItem } from '../import-items.repository.js';
import { readItems } from '../read-items.js';
import {
  itemConverter,
  type ConversionSource,
  type ConvertedItem,
  type ItemConverter,
} from './item-converter.js';

const maxItems = contentImportApi.maxImportedItems;
/** Bytes of the sources of one batch; a single item may be larger. */
const maxBytes = 1024 * 1024;

/** Items that are written together. */
export interface ContentBatch {
  items: ConvertedItem[];
  /** Downloaded files that the entries may name by their former addresses. */
  media: contentImportApi.KnownMedia[];
  /** The last position among them. */
  cursor: number;
}

/** Reads the entries of an import from its file and converts them. */
export class ContentBatches {
  private readonly convert: ItemConverter;

  constructor(
    private readonly ctx: Context,
    private readonly deps: TransferDeps,
    private readonly source: ConversionSource,
    private readonly media: KnownMedia,
  ) {
    this.convert = itemConverter(source);
  }

  /** The batch after a position; undefined when there is none. */
  async read(after: number): Promise<ContentBatch | undefined> {
    const { id, fileKey } = this.source.row;
    const page = { kind: 'content', after, limit: maxItems } as const;
    const stored = withinBytes(await selectPendingItems(this.ctx.db, id, page));
    const last = stored.at(-1);
    if (!last) return undefined;
    const sources = await readItems(this.deps.store, fileKey, stored);
    const items = await this.convert(this.ctx.db, stored, sources);
    const media = await this.media.namedIn(items.map(({ entry }) => entry.data));
    return { cursor: last.position, items, media };
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
