import type { ExportAuthor, ExportChannel, ExportTerm } from './export-channel.js';
import type { ExportItem } from './export-item.js';

/** Where an item is in the normalised file: offset and length in bytes, and the 1-based line of its start. */
export interface ItemPosition {
  offset: number;
  length: number;
  line: number;
}

/** What `readExport` yields. */
export type ExportEvent =
  | { type: 'channel'; channel: ExportChannel }
  | { type: 'author'; author: ExportAuthor }
  | { type: 'term'; term: ExportTerm }
  | ({ type: 'item'; item: ExportItem } & ItemPosition)
  | ({ type: 'broken-item'; reason: string } & ItemPosition);
