import { QuireError, securityHeaders, toErrorResponse } from '@quire/errors';
import type { Operator } from '@quire/tenancy';
import createRouter, { type HTTPVersion, type Instance } from 'find-my-way';
import type { AppContainer } from '../../app-container.js';
import { QueueAdminService } from '../../queue-admin-service.js';
import type { OperatorHandler, OperatorRequest } from '../operations.js';
import { opsPaths } from '../pages.js';
import { sendJson } from '../responses.js';
import { safeMethods } from '../same-origin.js';
import { runBoardAction } from './board-actions.js';
import { loadBoard, type Board } from './load-board.js';
import { queuesForBoard } from './queues-for-board.js';

/** The page loads its own files only. Its scripts create style elements and style attributes. */
const pageHeaders = {
  ...securityHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};
const fileHeaders = { ...securityHeaders, 'cache-control': 'private, max-age=3600' };
const maxJobsPerPage = 100;
const pollSeconds = 10;

/** The board and a router of its pages and reads. */
interface LoadedBoard extends Board {
  router: Instance<HTTPVersion.V1>;
}

/** The dashboard of queues: bull-board, which reads; changes are those of `runBoardAction`. */
export function createBoardHandler(openOwn: () => AppContainer): OperatorHandler {
  let loading: Promise<LoadedBoard> | undefined;
  const load = () => {
    loading ??= loadQueueBoard();
    loading.catch(() => (loading = undefined));
    return loading;
  };
  return async (call) => {
    const { pathname } = call.url;
    if (pathname !== opsPaths.queues && !pathname.startsWith(`${opsPaths.queues}/`)) return false;
    const path = pathname.slice(opsPaths.queues.length) || '/';
    const method = call.request.method ?? '';
    if (!safeMethods.has(method)) {
      await change(new QueueAdminService(openOwn()), call, path);
      return true;
    }
    return respond(await load(), openOwn(), call, path);
  };
}

async function change(
  service: QueueAdminService,
  { request: { method = '' }, response, operator }: OperatorRequest,
  path: string,
): Promise<void> {
  try {
    sendJson(response, 200, { retried: await runBoardAction(service, operator, { method, path }) });
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    const { status, body } = toErrorResponse(error);
    // The scripts of the page show the text of a key, and the message below it.
    const key = status === 404 ? 'ERRORS.JOB_NOT_FOUND' : 'ERRORS.FORBIDDEN';
    sendJson(response, status, { ...body, error: { ...body.error, key }, message: error.message });
  }
}

async function loadQueueBoard(): Promise<LoadedBoard> {
  const board = await loadBoard(opsPaths.queues, {
    boardTitle: 'Quire queues',
    hideDocsLink: true,
    miscLinks: [{ text: 'Overview', url: opsPaths.home }],
    pollingInterval: { forceInterval: pollSeconds },
  });
  const router = createRouter();
  for (const path of board.pagePaths) router.on('GET', path, () => undefined, 'page');
  // Its other routes change jobs.
  for (const route of board.apiRoutes)
    if ([route.method].flat().includes('get'))
      for (const path of [route.route].flat()) router.on('GET', path, () => undefined, route);
  return Object.assign(board, { router });
}

async function respond(
  board: LoadedBoard,
  own: AppContainer,
  { url, operator, response }: OperatorRequest,
  path: string,
): Promise<boolean> {
  const found = board.router.find('GET', path);
  if (found?.store === 'page') {
    response.writeHead(200, pageHeaders).end(board.page);
    return true;
  }
  if (!found) {
    const file = await board.file(path);
    if (!file) return false;
    response.writeHead(200, { ...fileHeaders, 'content-type': file.type }).end(file.content);
    return true;
  }
  const { status = 200, body } = await read(board, own, operator, {
    route: found.store as Board['apiRoutes'][number],
    params: found.params,
    query: queryOf(url),
  });
  sendJson(response, status, body);
  return true;
}

async function read(
  board: LoadedBoard,
  own: AppContainer,
  operator: Operator,
  request: {
    route: Board['apiRoutes'][number];
    params: Record<string, string | undefined>;
    query: Record<string, string>;
  },
) {
  const { route, params, query } = request;
  const queues = await queuesForBoard(board, own, operator);
  try {
    return await route.handler({ queues, uiConfig: board.uiConfig, query, params, body: {}, headers: {} });
  } catch (error) {
    throw new QuireError('SERVICE_UNAVAILABLE', 'The queue store is unavailable', { cause: error });
  }
}

function queryOf({ searchParams }: URL): Record<string, string> {
  const query = Object.fromEntries(searchParams);
  const perPage = Number(query['jobsPerPage']);
  return perPage > maxJobsPerPage ? { ...query, jobsPerPage: String(maxJobsPerPage) } : query;
}
