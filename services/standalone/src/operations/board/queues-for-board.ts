import type { BullBoardQueues } from '@bull-board/api/typings/app';
import type { QueueBackend } from '@quire/jobs';
import type { Operator } from '@quire/tenancy';
import type { AppContainer } from '../../app-container.js';
import { QueueAdminService } from '../../queue-admin-service.js';
import type { Adapter, Board } from './load-board.js';

/** Members of messages that the dashboard shows: the site and ids. */
const isShown = (name: string) => name === 'id' || name.endsWith('Id');

/** The queues that an operator sees. */
export async function queuesForBoard(
  board: Board,
  own: AppContainer,
  operator: Operator,
): Promise<BullBoardQueues> {
  const backend = await own.queues();
  const { names } = await new QueueAdminService(own).queues();
  // The type of the options does not have the second one.
  const options = { readOnlyMode: operator.role !== 'operator', allowCompletedRetries: false };
  return new Map(
    names.map((name) => {
      const adapter = board.adapterOf(backend.raw(name), options);
      adapter.setFormatter('data', idsOf);
      adapter.setFormatter('progress', () => 0);
      adapter.setFormatter('returnValue', (value) => (typeof value === 'string' ? value : null));
      adapter.getWorkers = () => workersOf(backend, name);
      return [name, adapter];
    }),
  );
}

/** The workers by their names: on PostgreSQL they have no address, and bull-board would count none. */
async function workersOf(backend: QueueBackend, queue: string): ReturnType<Adapter['getWorkers']> {
  const names = await backend.admin(queue).workers();
  return names.map((name) => ({ id: name, name, addr: name.slice(name.indexOf('@') + 1), age: 0 }));
}

/** The ids of a message. */
export function idsOf(data: unknown): Record<string, string> {
  if (typeof data !== 'object' || data === null) return {};
  const ids = Object.entries(data).filter(
    (member): member is [string, string] => isShown(member[0]) && typeof member[1] === 'string',
  );
  return Object.fromEntries(ids);
}
