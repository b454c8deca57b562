import type { ExportItem } from '../reading/export-item.js';
import { readPubDate, readWallClock, type ReadDate } from './date-texts.js';
import type { OffsetSamples } from './offset-samples.js';

export interface SourceDates {
  publishedAt: Date | null;
  modifiedAt: Date | null;
  /** Whether a date that was needed cannot be read (warning DATE_INVALID). */
  isInvalid: boolean;
}

/** The dates of an item that instants are derived from. */
export type ItemDates = Pick<ExportItem, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt' | 'pubDate'>;

/**
 * The instants of publication and last change (2.2). The GMT date comes first, then `pubDate`, then the local date with
 * the offset of the items nearest in time. The server's time zone has no part in it. Dates before 1970 are real.
 */
export function sourceDates(item: ItemDates, offsets: OffsetSamples): SourceDates {
  const published = firstDate([
    () => readWallClock(item.dateGmt),
    () => readPubDate(item.pubDate),
    () => atOffset(readWallClock(item.date), offsets),
  ]);
  const modified = firstDate([
    () => readWallClock(item.modifiedGmt),
    () => atOffset(readWallClock(item.modified), offsets),
  ]);
  return {
    publishedAt: published.date,
    modifiedAt: modified.date,
    isInvalid: published.isInvalid || modified.isInvalid,
  };
}

/** The instant of a comment: its GMT date, else its local date; null if neither can be read. */
export function commentDate(comment: { date: string; dateGmt: string }, offsets: OffsetSamples): Date | null {
  return firstDate([
    () => readWallClock(comment.dateGmt),
    () => atOffset(readWallClock(comment.date), offsets),
  ]).date;
}

function firstDate(readers: readonly (() => ReadDate)[]): { date: Date | null; isInvalid: boolean } {
  let isInvalid = false;
  for (const read of readers) {
    const date = read();
    if (date instanceof Date) return { date, isInvalid };
    isInvalid ||= date === 'invalid';
  }
  return { date: null, isInvalid };
}

function atOffset(wallClock: ReadDate, offsets: OffsetSamples): ReadDate {
  if (!(wallClock instanceof Date)) return wallClock;
  return new Date(wallClock.getTime() - offsets.nearest(wallClock) * 60_000);
}
