import type { ErrorCode, QuireError } from '@quire/errors';
import { html } from '@quire/http-server';
import { renderPage } from '../../html/index.js';
import { paths } from '../page-guards.js';

/** What the code of a link's failure means to who followed it. */
export type LinkProblems = Partial<Record<ErrorCode, string>>;

/** The page for a link that makes no account; undefined for failures that are not the link's. */
export function invalidLinkPage(
  { code }: QuireError,
  { title, problems }: { title: string; problems: LinkProblems },
): string | undefined {
  const text = problems[code];
  if (text === undefined) return undefined;
  const content = html`<p>${text}</p>
    <p class="actions"><a class="button" href="${paths.login}">Go to the login page</a></p>`;
  return renderPage({ title, content });
}

/** The status of the page for an invalid link: 404 for an unknown one (contract 3). */
export function invalidLinkStatus({ code, status }: QuireError): number {
  return code === 'INVALID_TOKEN' ? 404 : status;
}
