import type { Transaction } from '@quire/database';
import {
  parentProperties,
  recordDefinitions,
  recordKinds,
  referencesOf,
  type RecordKind,
} from '@quire/site-package';
import type { IssueList } from '../issues/issue-list.js';
import { selectForeignDrafts } from '../keys/draft-keys.repository.js';
import {
  selectCycles,
  selectDanglingReferences,
  selectSharedValues,
  type KeyFault,
} from '../keys/import-keys.repository.js';
import { uniqueScopes } from '../keys/key-rows.js';
import {
  selectFilesWithoutItem,
  selectItemsOfOtherSize,
  selectItemsWithoutFile,
} from '../keys/media-keys.repository.js';
import { uniqueFieldPrefix } from '../records/check-entry.js';

/** A check over all records of a package. A repetition finds the same. */
export type ReferenceCheck = (tx: Transaction, operationId: string, issues: IssueList) => Promise<void>;

/**
 * The checks in their order: references, values that no two records share, and the files of media items. Parents come
 * last, since their references are lost by that.
 */
export const referenceChecks: readonly ReferenceCheck[] = [
  ...recordKinds.flatMap(danglingChecks),
  ...recordKinds.flatMap(uniqueChecks),
  checkMediaFiles,
  checkDrafts,
  ...recordKinds.flatMap(cycleChecks),
];

function danglingChecks(kind: RecordKind): ReferenceCheck[] {
  return referencesOf(kind).map(({ property, reference }) => async (tx, operationId, issues) => {
    const scope = `${reference.kind}.${reference.property ?? 'id'}`;
    const [fault] = await selectDanglingReferences(tx, { operationId, kind, property, scope });
    if (!fault) return;
    const named = recordDefinitions[reference.kind].summary.toLowerCase();
    const finding = { ...findingOf(kind, fault), detail: { names: fault.value, target: reference.kind } };
    if (reference.soft) {
      const message = `Records name what the package does not have: ${named}`;
      issues.warn({ ...finding, code: 'soft_reference_dangling', message });
    } else {
      const message = `Records need what the package does not have: ${named}`;
      issues.block({ ...finding, code: 'dangling_reference', message });
    }
  });
}

function uniqueChecks(kind: RecordKind): ReferenceCheck[] {
  const scopes = uniqueScopes(kind);
  const prefix = kind === 'entries' ? uniqueFieldPrefix : '';
  if (scopes.length === 0 && prefix === '') return [];
  return [
    async (tx, operationId, issues) => {
      for (const fault of await selectSharedValues(tx, { operationId, kind, scopes, prefix })) {
        const isKey = fault.property === 'id';
        issues.block({
          ...findingOf(kind, fault),
          code: isKey ? 'duplicate_id' : 'unique_violation',
          message: 'Records share a value that must be unique',
          detail: { value: fault.value },
        });
      }
    },
  ];
}

async function checkMediaFiles(tx: Transaction, operationId: string, issues: IssueList): Promise<void> {
  for (const fault of await selectItemsWithoutFile(tx, operationId))
    issues.block({
      ...findingOf('media_items', fault),
      code: 'media_blob_missing',
      message: 'Media items have no file in the package',
      detail: { sha256: fault.value },
    });
  for (const fault of await selectItemsOfOtherSize(tx, operationId))
    issues.block({
      ...findingOf('media_items', fault),
      code: 'media_ref_invalid',
      message: 'Media items state another size than that of their file',
      detail: { sha256: fault.value },
    });
  for (const { id, count } of await selectFilesWithoutItem(tx, operationId))
    issues.warn({
      code: 'media_row_missing',
      message: 'Media files belong to no media item; they are not imported',
      kind: 'media_items',
      id,
      count,
    });
}

async function checkDrafts(tx: Transaction, operationId: string, issues: IssueList): Promise<void> {
  for (const fault of await selectForeignDrafts(tx, operationId))
    issues.block({
      ...findingOf('entries', fault),
      code: 'dangling_reference',
      message: 'Drafts of entries are revisions of other entries',
      detail: { names: fault.value, target: 'revisions' },
    });
}

function cycleChecks(kind: RecordKind): ReferenceCheck[] {
  return parentProperties(kind).map((property): ReferenceCheck => async (tx, operationId, issues) => {
    const [fault] = await selectCycles(tx, { operationId, kind, property });
    if (fault)
      issues.block({
        ...findingOf(kind, fault),
        code: 'reference_cycle',
        message: 'Records are their own ancestors, or below such records',
      });
  });
}

function findingOf(kind: RecordKind, { property, id, count }: KeyFault) {
  return { kind, property, id, count };
}
