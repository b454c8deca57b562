import type { ApiClient } from '@quire/api-client';

/** What changes the status of an entry, or what is live of it. */
export type Transition = 'publish' | 'schedule' | 'unschedule' | 'unpublish' | 'discard';

/**
 * Sends a transition of an entry.
 * @param rev the version that is published and the like; by default whatever the entry is
 * @throws ApiError CONFLICT for another version
 */
export function sendTransition(
  api: ApiClient,
  name: Transition,
  {
    collection,
    id,
    rev,
    scheduledAt = '',
  }: {
    collection: string;
    id: string;
    rev?: string;
    scheduledAt?: string | undefined;
  },
) {
  const address = { params: { collection, id } };
  const body = rev === undefined ? {} : { _rev: rev };
  switch (name) {
    case 'publish':
      return api.call('publishContent', { ...address, body });
    case 'schedule':
      return api.call('scheduleContent', { ...address, body: { ...body, scheduledAt } });
    case 'unschedule':
      return api.call('unscheduleContent', address);
    case 'unpublish':
      return api.call('unpublishContent', { ...address, body });
    case 'discard':
      return api.call('discardDraft', { ...address, body });
  }
}
