import type { ErrorRenderer } from '@quire/http-server';
import { html } from '../html/html.js';
import { assetsPath, isPagePath, pagePaths } from '../routes/page-paths.js';
import { pageHeaders } from './page-headers.js';
import { renderPage } from './page.js';

const titles: Record<number, string> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  429: 'Too many attempts',
  500: 'Something went wrong',
  502: 'Temporarily unavailable',
  503: 'Temporarily unavailable',
  504: 'Temporarily unavailable',
};

/** Without a version: an error page must not fail with unreadable assets. Browsers do not cache these files. */
const unversionedAssets = assetsPath('present');

/** Renders the errors of page paths as pages with the id of the request; other paths keep the envelope. */
export const renderErrorPage: ErrorRenderer = ({ status, message }, { path, requestId }) => {
  if (!isPagePath(path)) return undefined;
  const content = html`<p>${toSentence(message)}</p>
    <p class="actions"><a class="button" href="${pagePaths.home}">Go to the start page</a></p>
    <p class="fine">Request <code>${requestId}</code></p>`;
  return {
    body: renderPage({
      title: titles[status] ?? 'The request failed',
      content,
      assets: unversionedAssets,
    }),
    headers: pageHeaders({ forms: "'none'" }),
  };
};

/** Error messages end without a full stop, except those of several sentences. */
function toSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
