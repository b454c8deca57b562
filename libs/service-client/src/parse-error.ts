import { QuireError, type ErrorEnvelope } from '@quire/errors';

/**
 * The error of a response of another service.
 * @param text body of the response
 * @param retryAfter its Retry-After header
 * @returns undefined for a body that is not an error envelope
 */
export function parseError(text: string, retryAfter?: string | string[]): QuireError | undefined {
  try {
    const { code, message, details } = (JSON.parse(text) as ErrorEnvelope).error;
    const retryAfterSeconds = Number(retryAfter);
    return new QuireError(code, message, {
      ...(details && { details }),
      ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
    });
  } catch {
    return undefined;
  }
}
