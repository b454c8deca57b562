import type { AppContainer } from '../app-container.js';
import { openOwnConnections } from '../own-connections.js';
import { createApiHandler } from './api/api-handler.js';
import { createBoardHandler } from './board/board-handler.js';
import { createOverviewHandler } from './overview/overview-handler.js';
import { Operations } from './operations.js';

/**
 * The paths for operators of a process. They read through connections of their own, opened by the first operator: they
 * respond while requests of sites use all others, and their databases do not count for the readiness of the process.
 */
export function openOperations(container: AppContainer): Operations {
  let own: AppContainer | undefined;
  const openOwn = () => (own ??= openOwnConnections(container, 'operations'));
  container.lifecycle.onShutdown('operations', () => own?.lifecycle.stop());
  return new Operations(container, [
    createOverviewHandler(container, openOwn),
    createBoardHandler(openOwn),
    createApiHandler(openOwn),
  ]);
}
