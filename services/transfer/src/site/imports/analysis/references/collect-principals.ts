import type { Context } from '@quire/context';
import { recordKinds, type RecordKind, type SiteRecord } from '@quire/site-package';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { firstRecordPlace } from '../../package-records/read-record-batch.js';
import type { AnalysisCursor, NamedPrincipal } from '../analysis-cursor.js';
import { maxPlannedPrincipals } from '../analysis-limits.js';
import { selectPrincipalUses, selectUsesByKind } from '../keys/principal-keys.repository.js';
import { readBatch } from '../records/read-batch.js';
import { parseRecord } from '../records/parse-record.js';

type Uses = Partial<Record<RecordKind, number>>;

/**
 * The principals of a package that most records name, with the number of these records by kind, ordered by id. `others`
 * counts the records that name further principals or users that the package does not have.
 * @throws QuireError SERVICE_UNAVAILABLE, TRANSFER_STORAGE_ERROR
 */
export async function collectPrincipals(
  ctx: Context,
  deps: Pick<TransferDeps, 'store'>,
  operationId: string,
): Promise<NonNullable<AnalysisCursor['principals']>> {
  const uses = new Map<string, Uses>();
  for (const { id, kind, count } of await selectPrincipalUses(ctx.db, operationId, maxPlannedPrincipals)) {
    const ofUser = uses.get(id) ?? {};
    if (count > 0) ofUser[kind] = count;
    uses.set(id, ofUser);
  }
  const named = await describe(ctx, deps, operationId, uses);
  const others: Uses = {};
  for (const { kind, count } of await selectUsesByKind(ctx.db, operationId)) {
    const ofNamed = named.reduce((sum, { references }) => sum + (references[kind] ?? 0), 0);
    if (count > ofNamed) others[kind] = count - ofNamed;
  }
  return { named, others };
}

/** Adds names and addresses. Principals are the first records of a package. */
async function describe(
  ctx: Context,
  { store }: Pick<TransferDeps, 'store'>,
  operationId: string,
  uses: ReadonlyMap<string, Uses>,
): Promise<NamedPrincipal[]> {
  const named = new Map<string, NamedPrincipal>();
  for (let place = firstRecordPlace; ;) {
    const batch = await readBatch(ctx, store, operationId, place);
    if (batch?.kind !== 'principals') break;
    for (const line of batch.lines) {
      const parsed = parseRecord(line);
      if ('fault' in parsed) continue;
      const { id, displayName, email } = parsed.record as SiteRecord<'principals'>;
      const references = uses.get(id);
      if (references)
        named.set(id, {
          id,
          displayName: String(displayName),
          ...(typeof email === 'string' && { email }),
          references: inOrder(references),
        });
    }
    place = batch.next;
  }
  return [...named.values()];
}

function inOrder(uses: Uses): Uses {
  return Object.fromEntries(
    recordKinds.flatMap((kind) => (uses[kind] === undefined ? [] : [[kind, uses[kind]] as const])),
  );
}
