import type { Context } from '@quire/context';
import type { ObjectStore } from '@quire/object-store';
import { recordKinds, type RecordKind } from '@quire/site-package';
import { firstRecordPlace } from '../../package-records/read-record-batch.js';
import { checkShape } from './check-shape.js';
import { packageSchema, type PackageSchema, type SchemaRecords } from './package-schema.js';
import { parseRecord } from './parse-record.js';
import { readBatch } from './read-batch.js';

const properties: Partial<Record<RecordKind, keyof SchemaRecords>> = {
  block_types: 'blockTypes',
  block_type_versions: 'blockTypeVersions',
  collections: 'collections',
  fields: 'fields',
};
const lastKind = recordKinds.indexOf('fields');

/**
 * Reads the schema of a package: all steps that check entries need it, and it is small beside them. Invalid records are
 * left out.
 * @throws QuireError SERVICE_UNAVAILABLE, TRANSFER_STORAGE_ERROR
 */
export async function loadSchema(
  ctx: Context,
  store: ObjectStore,
  operationId: string,
): Promise<PackageSchema> {
  const records: Record<keyof SchemaRecords, object[]> = {
    collections: [],
    fields: [],
    blockTypes: [],
    blockTypeVersions: [],
  };
  for (let place = firstRecordPlace; ;) {
    const batch = await readBatch(ctx, store, operationId, place);
    if (!batch || recordKinds.indexOf(batch.kind) > lastKind) break;
    const property = properties[batch.kind];
    if (property) records[property].push(...batch.lines.flatMap((line) => validRecord(batch.kind, line)));
    place = batch.next;
  }
  return packageSchema(records as unknown as SchemaRecords);
}

function validRecord(kind: RecordKind, line: string): object[] {
  const parsed = parseRecord(line);
  if ('fault' in parsed || checkShape(kind, parsed.record).length > 0) return [];
  return [parsed.record];
}
