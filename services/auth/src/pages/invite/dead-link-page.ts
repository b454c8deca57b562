import type { ErrorCode, QuireError } from '@quire/errors';
import { html } from '@quire/http-server';
import { ownPage } from '../../html/index.js';
import { paths } from '../entrance.js';

/** What the code of a link's failure means to who followed it. */
export type LinkProblems = Partial<Record<ErrorCode, string>>;

/** The page for a link that makes no account; undefined for failures that are not the link's. */
export function deadLinkPage(
  { code }: QuireError,
  { title, problems }: { title: string; problems: LinkProblems },
): string | undefined {
  const text = problems[code];
  if (text === undefined) return undefined;
  const content = html`<p>${text}</p>
    <p class="actions"><a class="button" href="${paths.login}">Go to the login page</a></p>`;
  return ownPage({ title, content });
}

/** The status of a page whose link is dead: one that is unknown is a thing that is not there (contract 3). */
export function deadLinkStatus({ code, status }: QuireError): number {
  return code === 'INVALID_TOKEN' ? 404 : status;
}
