import { internalTokenHeader, systemActor, type Context, type InternalTokenSigner } from '@quire/context';
import { QuireError, type ErrorEnvelope } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';

const retryAfterSeconds = 2;

/** What this service asks content on its own behalf. */
export class ContentQuestions {
  constructor(
    private readonly door: ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /**
   * Asks about the site of a context.
   * @param question below content's internal paths: "search-documents"
   * @throws QuireError as content refused (a 4xx), SERVICE_UNAVAILABLE when it cannot be asked now; Error when it failed.
   */
  async ask<Answer>(ctx: Context, question: string, body: object): Promise<Answer> {
    const token = this.signer.sign(systemActor(ctx.principal.tenant, 'system:search'));
    const path = `${internalPrefix}/content/${question}`;
    const { status, text } = await this.door.ask(path, body, { [internalTokenHeader]: token });
    if (status === 503)
      throw new QuireError('SERVICE_UNAVAILABLE', 'Content cannot be asked now; try again shortly', {
        retryAfterSeconds,
      });
    if (status >= 500) throw new Error(`Content failed to answer ${question}: ${status}`);
    if (status < 400) return (JSON.parse(text) as { data: Answer }).data;
    const { code, message } = (JSON.parse(text) as ErrorEnvelope).error;
    throw new QuireError(code, message);
  }
}
