import { describe, expect, it } from '@jest/globals';
import { commentDate, sourceDates, type ItemDates } from './dates.js';
import { OffsetSamples } from './offset-samples.js';

const none = new OffsetSamples();
const zero = '0000-00-00 00:00:00';

function datesOf(dates: Partial<ItemDates>, offsets = none) {
  return sourceDates(
    { date: '', dateGmt: '', modified: '', modifiedGmt: '', pubDate: '', ...dates },
    offsets,
  );
}
const published = (dates: Partial<ItemDates>, offsets = none) =>
  datesOf(dates, offsets).publishedAt?.toISOString();

/** Summer and winter time of one zone. */
function berlin(): OffsetSamples {
  const offsets = new OffsetSamples();
  offsets.add('2024-01-10 13:00:00', '2024-01-10 12:00:00');
  offsets.add('2024-07-10 14:00:00', '2024-07-10 12:00:00');
  return offsets;
}

describe('sourceDates', () => {
  it('prefers the GMT date, then pubDate, then the local date', () => {
    const all = {
      dateGmt: '2024-01-01 10:00:00',
      pubDate: 'Tue, 02 Jan 2024 10:00:00 +0000',
      date: '2024-01-03 11:00:00',
    };
    expect(published(all, berlin())).toBe('2024-01-01T10:00:00.000Z');
    expect(published({ ...all, dateGmt: zero }, berlin())).toBe('2024-01-02T10:00:00.000Z');
    expect(published({ ...all, dateGmt: '', pubDate: '' }, berlin())).toBe('2024-01-03T10:00:00.000Z');
  });

  it('takes zero dates for none', () => {
    expect(
      datesOf({ date: zero, dateGmt: zero, pubDate: 'Wed, 30 Nov -0001 00:00:00 +0000', modifiedGmt: zero }),
    ).toEqual({
      publishedAt: null,
      modifiedAt: null,
      isInvalid: false,
    });
  });

  it.each(['2024-02-30 10:00:00', '2024-13-01 00:00:00', '2024-01-01 25:00:00', 'yesterday', '2024-1-1'])(
    'reports the date %s as invalid',
    (dateGmt) => {
      expect(datesOf({ dateGmt, pubDate: 'not a date', date: dateGmt })).toMatchObject({
        publishedAt: null,
        isInvalid: true,
      });
      expect(datesOf({ modifiedGmt: dateGmt })).toMatchObject({ modifiedAt: null, isInvalid: true });
    },
  );

  it('reports an invalid date that another one replaces', () => {
    const dates = datesOf({ dateGmt: '2024-02-30 10:00:00', pubDate: 'Fri, 01 Mar 2024 10:00:00 +0000' });
    expect(dates).toMatchObject({ publishedAt: new Date('2024-03-01T10:00:00Z'), isInvalid: true });
  });

  it('reads dates before 1970, leap days, and zones of pubDate', () => {
    expect(published({ dateGmt: '1965-07-01 00:30:00' })).toBe('1965-07-01T00:30:00.000Z');
    expect(published({ dateGmt: '0099-02-28 00:00:00' })).toBe('0099-02-28T00:00:00.000Z');
    expect(published({ dateGmt: '2024-02-29 00:00:00' })).toBe('2024-02-29T00:00:00.000Z');
    expect(published({ pubDate: 'Thu, 01 Jul 1965 02:30:00 +0200' })).toBe('1965-07-01T00:30:00.000Z');
    expect(published({ pubDate: '1 Jul 1965 02:30:00 GMT' })).toBe('1965-07-01T02:30:00.000Z');
  });

  it('reads a local date with the offset of the items nearest in time', () => {
    const offsets = berlin();
    expect(published({ date: '2024-07-01 00:30:00' }, offsets)).toBe('2024-06-30T22:30:00.000Z');
    expect(published({ date: '2023-12-01 00:30:00' }, offsets)).toBe('2023-11-30T23:30:00.000Z');
    expect(published({ date: '2024-07-01 00:30:00' })).toBe('2024-07-01T00:30:00.000Z');
    expect(
      datesOf({ modified: '2024-07-01 00:30:00', modifiedGmt: zero }, offsets).modifiedAt?.toISOString(),
    ).toBe('2024-06-30T22:30:00.000Z');
  });
});

describe('commentDate', () => {
  it('prefers the GMT date', () => {
    expect(
      commentDate({ dateGmt: '2024-01-01 10:00:00', date: '2024-01-01 11:00:00' }, none)?.toISOString(),
    ).toBe('2024-01-01T10:00:00.000Z');
    expect(commentDate({ dateGmt: zero, date: '2024-01-01 11:00:00' }, berlin())?.toISOString()).toBe(
      '2024-01-01T10:00:00.000Z',
    );
    expect(commentDate({ dateGmt: zero, date: 'x' }, none)).toBeNull();
  });
});

describe('OffsetSamples', () => {
  it('ignores pairs that are no offset', () => {
    const offsets = new OffsetSamples();
    offsets.add('2024-01-10 13:00:00', zero);
    offsets.add('2024-02-30 13:00:00', '2024-03-01 12:00:00');
    offsets.add('2024-01-10 13:00:00', '2023-01-10 12:00:00');
    expect(offsets.toJSON().samples).toEqual([]);
  });

  it('survives JSON', () => {
    const restored = OffsetSamples.from(
      JSON.parse(JSON.stringify(berlin())) as ReturnType<OffsetSamples['toJSON']>,
    );
    expect(restored.nearest(new Date('2024-07-01T00:30:00Z'))).toBe(120);
    expect(restored.nearest(new Date('2024-01-01T00:30:00Z'))).toBe(60);
  });

  it('keeps a bounded number of samples', () => {
    const offsets = new OffsetSamples();
    for (let day = 0; day < 20_000; day += 1) {
      const gmt = new Date(day * 86_400_000);
      const local = new Date(gmt.getTime() + (day < 10_000 ? 1 : 2) * 3_600_000);
      const text = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ');
      offsets.add(text(local), text(gmt));
    }
    expect(offsets.toJSON().samples.length).toBeLessThanOrEqual(4_096);
    expect(offsets.nearest(new Date(5_000 * 86_400_000))).toBe(60);
    expect(offsets.nearest(new Date(15_000 * 86_400_000))).toBe(120);
  });
});
