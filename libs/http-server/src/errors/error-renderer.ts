import type { QuireError } from '@quire/errors';

/** The form of an error response that replaces the envelope. */
export interface RenderedError {
  body: string;
  /** Headers in addition to those of every error; `content-type` among them. */
  headers: Record<string, string>;
}

/**
 * Renders the errors of paths whose clients expect no envelope. The status is that of the error.
 * @param request.path path without the query
 * @returns undefined where the envelope is the response
 */
export type ErrorRenderer = (
  error: QuireError,
  request: { path: string; requestId: string },
) => RenderedError | undefined;

/** Renders every error as the envelope. */
export const envelopeOnly: ErrorRenderer = () => undefined;
