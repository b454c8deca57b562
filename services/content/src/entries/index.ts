export {
  changeEntry,
  loadEntry,
  readableRows,
  withDefinition,
  type Decision,
  type EntryTarget,
} from './change-entry.js';
export { EntryMoves, type EntryMove } from './entry-moves.js';
export { EntriesController } from './entries.controller.js';
export { isStaged, seesDrafts } from './entries.policy.js';
export {
  addressQuery,
  collectionParams,
  entryAnswerSchema,
  entryParams,
  entryRefSchema,
} from './entries.schemas.js';
export { leaseInterval, lockJson, type EntryLock } from './entry-lock.js';
export { entryAnswer, type EntryAnswer } from './entry-answer.js';
export {
  editedValues,
  knownValues,
  stagedSlug,
  type EntryRow,
  type EntryStatus,
  type EntryValues,
} from './entry-row.js';
export { EntryServices } from './entry-services.js';
export { createEntry } from './operations/create-entry.js';
export { goLive, publishEntry } from './operations/publish-entry.js';
export { holdGroup } from './statements/hold-entry.js';
export { changedSharedFields } from './synchronised-fields.js';
export {
  linkedEntries,
  linkedOrder,
  linkedScope,
  referencePage,
  type LinkedRow,
  type ReferencePage,
} from './selections/read-selections.js';
export { missingTargets } from './selections/plain-references.js';
export { choiceIssues, groupsOf } from './selections/resolve-selections.js';
