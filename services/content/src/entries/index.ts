export { ResponseCache } from './cached-responses/index.js';
export { canSeeDrafts, isStaged } from './entries.policy.js';
export { addressQuery, collectionParams, entryParams, entryResponseSchema } from './entries.schemas.js';
export { collectionBusyError, retryAfterRace } from './entry-errors.js';
export { EntryLimit } from './entry-limit.js';
export { EntryDeps, EntryUrlListener, type CreatedUrls, type EntryUrlChange } from './entry-deps.js';
export type { EntryLock } from './entry-lock.js';
export {
  editedValues,
  knownValues,
  liveValues,
  stagedSlug,
  withAllFields,
  withoutNulls,
  type EntryRow,
  type EntryValues,
} from './entry-row.js';
export { toEntryResponse, type EntryResponse, type SavedEntry } from './entry.mapper.js';
export { deleteImportErrors, upsertImportErrors, type ImportErrorDetails } from './import-errors/index.js';
export {
  isOfStaleDefinition,
  loadEntry,
  readableRows,
  withDefinition,
  type EntryTarget,
} from './load-entry.js';
export { deleteContent, restoreContent } from './entries.operations.js';
export { createContent } from './operations/create-content.js';
export { getContent } from './operations/get-content.js';
export { updateContent } from './operations/update-content.js';
export { planUnpublish } from './operations/unpublish-content.js';
export { planPublish, publishContent } from './operations/publish-content.js';
export { MediaResolver } from './media-resolver.js';
export { missingTargets } from './references/plain-references.js';
export { lockLinkLimits } from './references/references.repository.js';
export { deleteEntries } from './repository/delete-entry.js';
export { findEntries } from './repository/find-entry.js';
export { leaseInterval, lockJson } from './repository/lease-conditions.js';
export { lockEntryGroup, lockReferenceTargets } from './repository/lock-entry.js';
export { isChanged, isLive, overdue } from './repository/entry-states.js';
export { gracePeriodSeconds, schedulesTable } from './repository/schedules.repository.js';
export { isUnchanged } from './repository/write-entry.js';
export { saveEntry, saveEntryWithoutResponse } from './repository/save-entry.js';
export {
  changeInTransaction,
  type CurrentEntry,
  type DecideChange,
  type EntryChangePlan,
} from './repository/write-change.js';
export { changedSharedFields, sharedFields } from './shared-fields.js';
