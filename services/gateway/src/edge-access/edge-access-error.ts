/** What clients see when the edge access proxy's word is missing or does not hold: plain text (contract 29). */
export class EdgeAccessError extends Error {
  constructor(
    readonly status: 401 | 403,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EdgeAccessError';
  }
}
