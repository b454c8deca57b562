import type { Context } from '@quire/context';
import { recordOwners, siteRecords, type ResponseOf } from '@quire/internal-api';
import { recordKinds, type RecordKind } from '@quire/site-package';
import type { TransferDeps } from '../../transfer-deps.js';

/**
 * What the site has of the records that an import writes, by the services that own them: kinds with records of users,
 * which prevent an import, and unchanged records of the beginning, which an import deletes.
 * @returns the blockers of each service in the order of their kinds
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function inspectSite(
  ctx: Context,
  { clients }: Pick<TransferDeps, 'clients'>,
): Promise<ResponseOf<typeof siteRecords.content.inspect>> {
  const found = await Promise.all(
    recordOwners.map((owner) => clients[owner].call(siteRecords[owner].inspect, ctx, undefined)),
  );
  return {
    blockers: found.flatMap(({ blockers }) =>
      blockers.toSorted((left, right) => orderOf(left.kind) - orderOf(right.kind)),
    ),
    scaffold: found.flatMap(({ scaffold }) => scaffold),
  };
}

function orderOf(kind: RecordKind): number {
  return recordKinds.indexOf(kind);
}
