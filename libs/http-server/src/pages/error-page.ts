import { toErrorResponse, type QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';
import { html } from './html.js';
import { page, pageHeaders, pagesPrefix } from './page.js';

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

/**
 * A failure as somebody with a browser is told of it.
 * @param requestId what to name when asking the operator about it
 */
export function errorPage(error: QuireError, requestId: string): MappedErrorResponse {
  const { status, headers } = toErrorResponse(error);
  const content = html`<p>${error.message}.</p>
    <p class="actions"><a class="button" href="${pagesPrefix}">Go to the start page</a></p>
    <p class="fine">Request <code>${requestId}</code></p>`;
  return {
    status,
    body: page({ title: titles[status] ?? 'This request cannot be answered', content }),
    headers: { ...headers, ...pageHeaders({ forms: "'none'" }) },
  };
}
