import { internalTokenHeader, systemActor, type Context, type InternalTokenSigner } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';

/** The auth service's way to the content service, which may start after it. */
export class ContentDoor {
  /** @param content finds the way */
  constructor(
    private readonly content: () => ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /**
   * Asks in the name of the system.
   * @param path below the content service's internal paths
   * @param body absent for a read
   * @returns the answer's data
   * @throws QuireError `failure`, by default SERVICE_UNAVAILABLE, when there is no success; SERVICE_UNAVAILABLE when content is away.
   */
  async ask<Answer>(ctx: Context, path: string, body?: object, failure = cannotBeAsked): Promise<Answer> {
    const token = this.signer.sign(systemActor(ctx.principal.tenant, 'system:auth'));
    const whole = `${internalPrefix}/content/${path}`;
    const { status, text } = await this.content().ask(whole, body, { [internalTokenHeader]: token });
    if (status === 503) throw cannotBeAsked();
    if (status !== 200) throw failure();
    return (JSON.parse(text) as { data: Answer }).data;
  }
}

function cannotBeAsked(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'The content service cannot be asked now; try again shortly', {
    retryAfterSeconds: 2,
  });
}
