import { ApiError, isSignedOut } from '@quire/api-client';
import { api, meQuery, queryClient } from '../../api/client.js';
import { reportWrite } from '../../api/read-only.js';
import { session } from '../../session/session-state.js';
import { sendTransition } from '../entry-transitions.js';
import type { EntryAction } from './entry-actions.js';
import type { Row } from './entry-status.js';

/** Attempts of a write that the site refuses because there were too many. */
const maxAttempts = 4;
const defaultDelayMs = 1000;

/** What an action needs beside the entry. */
export interface ActionInput {
  collection: string;
  action: EntryAction;
  /** When the entry goes live, for `schedule`. */
  scheduledAt?: string;
}

/** Does an action with an entry. Waits where the site asks for it. @throws ApiError */
export async function runAction(input: ActionInput, { id }: Pick<Row, 'id'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(input, id);
      return reportWrite();
    } catch (error) {
      if (isSignedOut(error)) session.end();
      reportWrite(error);
      // The role may have changed since it was read.
      if (error instanceof ApiError && error.status === 403) void queryClient.invalidateQueries(meQuery);
      const isRateLimited = error instanceof ApiError && error.status === 429;
      if (!isRateLimited || attempt === maxAttempts) throw error;
      const delayMs = error.retryAfterMs ?? defaultDelayMs * attempt;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

function send({ collection, action, scheduledAt }: ActionInput, id: string): Promise<unknown> {
  const address = { params: { collection, id } };
  switch (action) {
    case 'duplicate':
      return api.call('duplicateContent', address);
    case 'restore':
      return api.call('restoreContent', address);
    case 'trash':
      return api.call('deleteContent', address);
    case 'delete':
      return api.call('permanentDeleteContent', address);
    default:
      return sendTransition(api, action, { collection, id, scheduledAt });
  }
}
