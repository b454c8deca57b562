/** Ends the processing of work that is not to be done now. It is due again later, and uses no attempt. */
export class PostponedWorkError extends Error {
  override name = 'PostponedWorkError';

  constructor(
    message: string,
    readonly afterSeconds: number,
  ) {
    super(message);
  }
}
