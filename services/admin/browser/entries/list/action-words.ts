import type { MessageKey, Translate } from '../../locales/messages.js';
import { errorWords, type ErrorWords } from '../../api/error-words.js';
import type { ActionProblem, EntryAction } from './entry-actions.js';
import type { Row } from './entry-status.js';

const problems: Readonly<Record<ActionProblem, MessageKey>> = {
  notOwn: 'problem.notOwn',
  locked: 'problem.locked',
  notApplicable: 'problem.notApplicable',
};

/** An entry that an action was not sent for. */
export class SkippedError extends Error {
  constructor(readonly problem: ActionProblem) {
    super(problem);
  }
}

/** Why an action is not possible with an entry. */
export function problemText(t: Translate, problem: ActionProblem, row?: Pick<Row, 'lock'>): string {
  const name = row?.lock?.userName;
  if (problem === 'locked' && name) return t('list.lockedBy', { name });
  return t(problems[problem]);
}

/** Why an action with an entry did not succeed. */
export function resultWords(t: Translate, error: unknown, row: Row): ErrorWords {
  if (error instanceof SkippedError) return { text: problemText(t, error.problem, row) };
  return errorWords(t, error);
}

/** The name of an action in the menu of an entry: it says what will happen. */
export function actionLabel(
  t: Translate,
  action: EntryAction,
  row?: Pick<Row, 'status' | 'scheduledAt'>,
): string {
  if (row && action === 'publish') {
    if (row.status === 'published') return t('action.publish.changes');
    if (row.scheduledAt !== null) return t('action.publish.now');
  }
  if (row && action === 'schedule') {
    if (row.scheduledAt !== null) return t('action.schedule.change');
    if (row.status === 'published') return t('action.schedule.changes');
  }
  return t(`action.${action}`);
}

/** What an entry is called in messages. */
export function titleOf(t: Translate, row: Row): string {
  return row.title ?? row.slug ?? t('list.untitled');
}
