export {
  saveEntry,
  loadEntry,
  readableRows,
  withDefinition,
  type EntryChangePlan,
  type EntryTarget,
} from './save-entry.js';
export { EntryUrlListener, type EntryUrlChange } from './entry-url-changes.js';
export { EntriesController } from './entries.controller.js';
export { isStaged, canSeeDrafts } from './entries.policy.js';
export {
  addressQuery,
  collectionParams,
  entryResponseSchema,
  entryParams,
  entryRefSchema,
} from './entries.schemas.js';
export { leaseInterval, lockJson, type EntryLock } from './entry-lock.js';
export { toEntryResponse, type EntryResponse } from './entry.mapper.js';
export {
  editedValues,
  knownValues,
  stagedSlug,
  type EntryRow,
  type EntryStatus,
  type EntryValues,
} from './entry-row.js';
export { EntryDeps } from './entry-deps.js';
export { createContent } from './operations/create-content.js';
export { planPublish, publishContent } from './operations/publish-content.js';
export { lockEntryGroup } from './repository/lock-entry.js';
export { changedSharedFields } from './translations/shared-fields.js';
export {
  linkedEntries,
  linkedOrder,
  linkedScope,
  referencePage,
  type LinkedRow,
  type ReferencePage,
} from './references/linked-entries.js';
export { missingTargets } from './references/plain-references.js';
export { selectionIssues, groupsOf } from './references/resolve-references.js';
