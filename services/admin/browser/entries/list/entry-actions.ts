import { can, canOnRow, type Caller, type OwnablePermission } from '@quire/permissions';
import type { Row, StatusFacts } from './entry-status.js';

/** What the actions on an entry depend on. */
export type ActionFacts = StatusFacts & Pick<Row, 'author' | 'lock'>;

/** What a list can do with an entry, in the order of menus. */
export const entryActions = [
  'publish',
  'schedule',
  'unschedule',
  'unpublish',
  'duplicate',
  'restore',
  'trash',
  'delete',
] as const;
export type EntryAction = (typeof entryActions)[number];

/** Why an action is not possible with an entry here and now. */
export type ActionProblem = 'notOwn' | 'locked' | 'notApplicable';

/** An action, and why it is not possible. */
export interface AvailableAction {
  action: EntryAction;
  problem?: ActionProblem;
}

const ownable: Partial<Record<EntryAction, OwnablePermission>> = {
  publish: 'content:publish',
  schedule: 'content:publish',
  unschedule: 'content:publish',
  unpublish: 'content:publish',
  duplicate: 'content:edit',
  trash: 'content:delete',
  restore: 'content:edit',
};
/** Actions that the server refuses while another user edits the entry. */
const blockedByLock: ReadonlySet<EntryAction> = new Set([
  'publish',
  'schedule',
  'unschedule',
  'unpublish',
  'trash',
]);
/** Actions on entries in the trash. */
const ofTrash: ReadonlySet<EntryAction> = new Set(['restore', 'delete']);
/** Actions on several entries at once. */
const bulkActions: readonly EntryAction[] = ['publish', 'unpublish', 'schedule', 'unschedule', 'trash'];

/** Whether the role ever allows an action, on own entries at least. What it never allows is not shown. */
export function isEverAllowed(action: EntryAction, caller: Caller): boolean {
  if (action === 'delete') return can(caller, 'content:delete_permanent');
  if (action === 'duplicate' && !can(caller, 'content:create')) return false;
  const permission = ownable[action];
  return permission !== undefined && can(caller, `${permission}_own`);
}

/** Whether the state of an entry has a use for an action. */
export function isApplicable(action: EntryAction, row: ActionFacts): boolean {
  if (row.deletedAt !== undefined) return ofTrash.has(action);
  switch (action) {
    case 'publish':
    case 'schedule':
      return row.status !== 'published' || row.isChanged;
    case 'unschedule':
      return row.scheduledAt !== null;
    case 'unpublish':
      return row.status === 'published';
    default:
      return !ofTrash.has(action);
  }
}

/** Why an action is not possible with an entry. @returns undefined where it is */
export function problemOf(action: EntryAction, row: ActionFacts, caller: Caller): ActionProblem | undefined {
  if (!isApplicable(action, row)) return 'notApplicable';
  const permission = ownable[action];
  if (permission && !canOnRow(caller, permission, row.author?.id ?? null)) return 'notOwn';
  const isLocked = row.lock !== null && row.lock.userId !== caller.userId;
  return isLocked && blockedByLock.has(action) ? 'locked' : undefined;
}

/** The actions of an entry's menu. */
export function actionsOf(row: ActionFacts, caller: Caller): AvailableAction[] {
  return entryActions
    .filter((action) => isEverAllowed(action, caller) && isApplicable(action, row))
    .map((action) => ({ action, problem: problemOf(action, row, caller) }));
}

/** The actions on a selection. */
export function bulkActionsOf({ isTrash }: { isTrash: boolean }, caller: Caller): EntryAction[] {
  const actions: readonly EntryAction[] = isTrash ? ['restore', 'delete'] : bulkActions;
  return actions.filter((action) => isEverAllowed(action, caller));
}
