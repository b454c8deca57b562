import type { SiteRecord } from '@quire/site-package';
import type { RecordBatch, RecordPlace } from '../../package-records/read-record-batch.js';
import { executionLimits } from './execution-limits.js';

/**
 * The first media items of a batch, up to the one whose bytes reach the limit of one call: the service copies them.
 * @param place of the batch
 * @returns a batch of at least one item; the whole one when it is small enough
 */
export function firstMediaItems(batch: RecordBatch, place: RecordPlace): RecordBatch {
  let media = 0;
  const lines = batch.lines.filter((line) => {
    const isTaken = media < executionLimits.mediaBytesPerCall;
    if (isTaken) media += (JSON.parse(line) as SiteRecord<'media_items'>).size;
    return isTaken;
  });
  if (lines.length === batch.lines.length) return batch;
  const { next, isEndOfFile } = batch;
  const file = isEndOfFile ? next.file - 1 : next.file;
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  const start = file === place.file ? place.offset : 0;
  return { ...batch, lines, bytes, next: { file, offset: start + bytes }, isEndOfFile: false };
}
