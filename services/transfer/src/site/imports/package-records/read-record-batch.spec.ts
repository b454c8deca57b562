import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { ByteRange, ObjectStore } from '@quire/object-store';
import { buildPackage, recordOf, useFixture } from '@quire/testing';
import { openAnalyses } from '../analysis/testing/analyses.fixture.js';
import { firstRecordPlace, maxBatchBytes, readRecordBatch, type RecordBatch } from './read-record-batch.js';

const analyses = useFixture(() => openAnalyses('spec-of-record-batches'));

/** Reads a package of sections in batches. @returns the batches, and the bytes that the store was asked for */
async function readSections(
  count: number,
  contentBytes: number,
): Promise<{ batches: RecordBatch[]; bytesRead: number }> {
  const sections = Array.from({ length: count }, (_, index) =>
    recordOf('sections', { id: `s-${String(index).padStart(5, '0')}`, title: 'x'.repeat(contentBytes) }),
  );
  const id = await analyses.upload(buildPackage({ records: { sections } }));
  let bytesRead = 0;
  const store = {
    get: (key: string, range?: ByteRange) => {
      if (range) bytesRead += range.end - range.start + 1;
      return analyses.store.get(key, range);
    },
  } as ObjectStore;
  const batches: RecordBatch[] = [];
  for (let place = firstRecordPlace; ;) {
    const batch = await readRecordBatch(analyses.ctx, store, id, place);
    if (!batch) break;
    batches.push(batch);
    place = batch.next;
  }
  expect(batches.flatMap(({ lines }) => lines)).toEqual(sections.map((section) => JSON.stringify(section)));
  return { batches, bytesRead };
}

describe('readRecordBatch', () => {
  it('reads about the bytes of the batch, however short its records are', async () => {
    const { batches, bytesRead } = await readSections(5_000, 200);
    expect(batches.map(({ lines }) => lines.length)).toEqual(Array.from({ length: 5 }, () => 1_000));
    const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
    expect(bytesRead).toBeLessThan(1.3 * bytes);
  });

  it('ends a batch of long records before the limit of bytes', async () => {
    const { batches } = await readSections(90, 100_000);
    expect(batches.map(({ lines }) => lines.length)).toEqual(Array.from({ length: 9 }, () => 10));
    for (const { bytes } of batches) expect(bytes).toBeLessThanOrEqual(maxBatchBytes);
  });

  it('returns a record beyond the limit of bytes as a batch of its own', async () => {
    const { batches } = await readSections(3, maxBatchBytes + 1);
    expect(batches.map(({ lines }) => lines.length)).toEqual([1, 1, 1]);
  });
});
