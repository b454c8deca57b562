import type { Context } from '@quire/context';
import type { RecordKind, SiteRecord } from '@quire/site-package';
import { readSiteRecords } from '../site-records.operations.js';

/** Reads all copied records of a kind, in pages of `maxRecords`. */
export async function readLines(
  ctx: Context,
  operationId: string,
  kind: RecordKind,
  maxRecords = 1000,
): Promise<string[]> {
  const all: string[] = [];
  for (let after = 0; ;) {
    const { lines, last } = await readSiteRecords(ctx, {
      operationId,
      kind,
      after,
      maxRecords,
      maxBytes: 1_000_000,
    });
    if (lines.length === 0) return all;
    all.push(...lines);
    after = last;
  }
}

/** The same as objects. */
export async function readRecords<Kind extends RecordKind>(
  ctx: Context,
  operationId: string,
  kind: Kind,
): Promise<SiteRecord<Kind>[]> {
  const lines = await readLines(ctx, operationId, kind);
  return lines.map((line) => JSON.parse(line) as SiteRecord<Kind>);
}
