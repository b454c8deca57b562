import { memoizeFor } from '@quire/observability';
import type { AppContainer } from '../../app-container.js';
import type { OperatorHandler } from '../operations.js';
import { opsPaths } from '../pages.js';
import { sendData, sendPage } from '../responses.js';
import { safeMethods } from '../same-origin.js';
import { renderOverview } from './overview-page.js';
import { readOverview } from './read-overview.js';
import { Throughput } from './throughput.js';

/** All requests of this time share one read. */
const cacheMs = 5_000;

/** The overview as a page and as JSON. */
export function createOverviewHandler(container: AppContainer, openOwn: () => AppContainer): OperatorHandler {
  const throughput = new Throughput();
  const read = memoizeFor(cacheMs, () => readOverview(container, openOwn(), throughput));
  return async ({ request, response, url, operator }) => {
    if (!safeMethods.has(request.method ?? '')) return false;
    switch (url.pathname) {
      case opsPaths.home:
        sendPage(response, 200, renderOverview(operator, await read()));
        return true;
      case opsPaths.overview:
        sendData(response, await read());
        return true;
      default:
        return false;
    }
  };
}
