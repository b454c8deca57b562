import type { ErrorRenderer } from '@quire/http-server';
import { html } from '../html/html.js';
import { assetsPath, isPagePath, pagePaths } from '../routes/page-paths.js';
import { pageHeaders } from './page-headers.js';
import { renderPage } from './page.js';

const titles: Record<number, string> = {
  401: 'Sign in first',
  403: 'This is not allowed',
  404: 'There is no such page',
  405: 'This cannot be opened like this',
  429: 'Too many attempts',
  500: 'Something went wrong',
  502: 'Not available just now',
  503: 'Not available just now',
  504: 'Not available just now',
};

/** No version: an error page must not fail because the assets cannot be read. Browsers do not cache these files. */
const unversionedAssets = assetsPath('present');

/** Renders the errors of page paths as pages that name the request; other paths keep the envelope. */
export const renderErrorPage: ErrorRenderer = ({ status, message }, { path, requestId }) => {
  if (!isPagePath(path)) return undefined;
  const content = html`<p>${message}.</p>
    <p class="actions"><a class="button" href="${pagePaths.home}">Go to the start page</a></p>
    <p class="fine">Request <code>${requestId}</code></p>`;
  return {
    body: renderPage({
      title: titles[status] ?? 'This request cannot be answered',
      content,
      assets: unversionedAssets,
    }),
    headers: pageHeaders({ forms: "'none'" }),
  };
};
