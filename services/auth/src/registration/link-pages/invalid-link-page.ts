import type { ErrorCode, QuireError } from '@quire/errors';
import { html, pagePaths, renderPage } from '@quire/ui';

/** The text that the page shows for the error code of a link. */
export type LinkProblems = Partial<Record<ErrorCode, string>>;

/** The page for a link that creates no account; undefined for errors that have other causes. */
export function invalidLinkPage(
  { code }: QuireError,
  { title, problems }: { title: string; problems: LinkProblems },
): string | undefined {
  const text = problems[code];
  if (text === undefined) return undefined;
  const content = html`<p>${text}</p>
    <p class="actions"><a class="button" href="${pagePaths.login}">Go to the login page</a></p>`;
  return renderPage({ title, content });
}

/** The status of the page for an invalid link: 404 for an unknown one (contract 3). */
export function invalidLinkStatus({ code, status }: QuireError): number {
  return code === 'INVALID_TOKEN' ? 404 : status;
}
