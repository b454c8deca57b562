import { QuireError, type ErrorCode } from '@quire/errors';
import { html, pageHeaders, pagePaths, renderPage } from '@quire/ui';
import type { FastifyReply } from 'fastify';

/** The texts of the page for an invalid link, by error code. */
export type LinkProblems = Partial<Record<ErrorCode, string>>;

/**
 * Renders the page for a link that creates no account, and sets status and headers of the response. An unknown link has
 * status 404 (contract 3).
 * @returns undefined for errors without a text.
 */
export function invalidLinkPage(
  reply: FastifyReply,
  error: unknown,
  { title, problems }: { title: string; problems: LinkProblems },
): string | undefined {
  if (!(error instanceof QuireError)) return undefined;
  const { code, status } = error;
  const text = problems[code];
  if (text === undefined) return undefined;
  void reply.status(code === 'INVALID_TOKEN' ? 404 : status).headers(pageHeaders());
  const content = html`<p>${text}</p>
    <p class="actions"><a class="button" href="${pagePaths.login}">Go to the login page</a></p>`;
  return renderPage({ title, content });
}
