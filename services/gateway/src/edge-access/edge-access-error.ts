/** A missing or invalid assertion of the edge access proxy. Clients get its message as plain text (contract 29). */
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
