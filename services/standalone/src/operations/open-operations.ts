import { AppContainer } from '../app-container.js';
import { createBoardHandler } from './board/board-handler.js';
import { createOverviewHandler } from './overview/overview-handler.js';
import { Operations } from './operations.js';

/** Operators read one page at a time. */
const poolSize = 2;

/**
 * The paths for operators of a process. They read through connections of their own, opened by the first operator: they
 * respond while requests of sites use all others, and their databases do not count for the readiness of the process.
 */
export function openOperations(container: AppContainer): Operations {
  const { environment, site, lifecycle } = container;
  let own: AppContainer | undefined;
  const openOwn = () =>
    (own ??= new AppContainer({ ...environment, CMS_DATABASE_POOL_SIZE: poolSize }, site, ['operations']));
  lifecycle.onShutdown('operations', () => own?.lifecycle.stop());
  return new Operations(container, [createOverviewHandler(container, openOwn), createBoardHandler(openOwn)]);
}
