import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { lockLinkLimits, lockReferenceTargets } from '../../entries/index.js';
import { contentTableName } from '../../schema/index.js';
import { keyOf, lockSource, selectRecords, type StoredRecord } from '../records/index.js';
import { pathToRoot } from './ancestors.js';
import {
  lockPlacedEntries,
  selectHierarchies,
  selectParents,
  updateParents,
  type Hierarchy,
  type Move,
  type PlacedEntry,
} from './entry-parents.repository.js';

type Request = RequestOf<typeof contentImportApi.linkEntryParents>;
type Response = ResponseOf<typeof contentImportApi.linkEntryParents>;

/**
 * Links imported entries to the parents that their sources name, by the field `parent` of their collection (contract
 * 1.4, Order). Without such a field parents stay in the records. An entry stays at the top, with the warning
 * PARENT_MISSING, when its parent was not imported, or is the entry itself or below it; only the import that wrote the
 * entry warns. An entry that a user has edited, or whose parent a user has changed, is left as it is. A repeated call
 * changes nothing.
 */
export async function linkEntryParents(ctx: Context, { children, ...run }: Request): Promise<Response> {
  return ctx.db.transaction(async (tx) => {
    await lockSource(tx, ctx.principal.tenant.id, run.site);
    const recordBy = await selectRecords(tx, run.site, children);
    const records = [...new Set(children.flatMap((source) => recordBy.get(keyOf(source)) ?? []))];
    const warnings: Response['warnings'] = [];
    const warn = ({ sourceType: type, sourceId: id, parentId, updatedBy }: StoredRecord, problem: string) => {
      if (updatedBy !== run.importId) return;
      const message = `The parent ${parentId ?? ''} ${problem}`;
      warnings.push({ source: { type, id }, code: 'PARENT_MISSING', message });
    };
    for (const record of await selectOrphans(tx, run.site, records)) warn(record, 'was not imported');
    const collections = new Set(records.flatMap(({ collection }) => collection ?? []));
    for (const hierarchy of await selectHierarchies(tx, [...collections])) {
      const members = records.filter(({ collection }) => collection === hierarchy.collection);
      for (const record of await linkMembers(tx, hierarchy, members))
        warn(record, 'is the entry itself or below it');
    }
    return { warnings };
  });
}

/** @returns the records of entries whose parents have none. */
async function selectOrphans(
  tx: Transaction,
  site: string,
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  const named = records.flatMap((record) => {
    const { parentType: type, parentId: id } = record;
    return type === null || id === null ? [] : [{ record, parent: { type, id } }];
  });
  const parents = await selectRecords(
    tx,
    site,
    named.map(({ parent }) => parent),
  );
  return named.filter(({ parent }) => !parents.has(keyOf(parent))).map(({ record }) => record);
}

/** Links entries of one collection. @returns the records of those whose parents would close a circle. */
async function linkMembers(
  tx: Transaction,
  hierarchy: Hierarchy,
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  // Writers lock entries before relations.
  const entries = await lockPlacedEntries(tx, hierarchy, records);
  const limits = await lockLinkLimits(tx, hierarchy);
  if (limits?.own !== 1 || limits.other !== null) return [];
  const groups = entries.flatMap(({ group, wantedGroup }) => [group, ...(wantedGroup ? [wantedGroup] : [])]);
  const parents = await selectParents(tx, hierarchy, groups);
  const { moves, circular } = planMoves(entries, parents);
  const wanted = moves.flatMap(({ parentGroup }) => parentGroup ?? []);
  const existing = new Set(await lockReferenceTargets(tx, contentTableName(hierarchy.collection), wanted));
  await updateParents(
    tx,
    hierarchy,
    moves.filter(({ parentGroup }) => parentGroup === null || existing.has(parentGroup)),
  );
  return records.filter(({ targetId }) => circular.has(targetId));
}

/** @param parents of all groups, changed as the plan changes them */
function planMoves(
  entries: readonly PlacedEntry[],
  parents: Map<string, string | null>,
): { moves: Move[]; circular: Set<string> } {
  const moves: Move[] = [];
  const circular = new Set<string>();
  for (const entry of entries) {
    const { id, group, wantedGroup } = entry;
    const present = parents.get(group) ?? null;
    if (present === wantedGroup || isOfUser(entry, present)) continue;
    if (wantedGroup !== null && pathToRoot(wantedGroup, parents).includes(group)) {
      circular.add(id);
      continue;
    }
    parents.set(group, wantedGroup);
    moves.push({ id, group, parentGroup: wantedGroup });
  }
  return { moves, circular };
}

/**
 * Whether a user has given an entry its present place, or another entry of its translation group has: it is not where
 * an import has put it. One without a parent gets the next one that the source names, because a deleted parent leaves
 * its children at the top.
 */
function isOfUser({ linkedGroup, wantedGroup }: PlacedEntry, present: string | null): boolean {
  return present === null ? linkedGroup !== null && linkedGroup === wantedGroup : present !== linkedGroup;
}
