import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { z } from 'zod';

/** How a site's comments are kept from programs by Turnstile, or by a service that answers like it. */
export interface CaptchaOptions {
  secret: string;
  /** Where tokens are verified. */
  url: string;
  /** Gives up by itself on a verifier that is slow. */
  fetch: typeof globalThis.fetch;
}

const verificationSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).optional() });
/** What says nothing of the token: the secret is wrong, or the verifier could not look. */
const configurationErrors = ['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error'];

/** Asks a verifier whether a submission comes from the widget that people see. Without options nobody is asked. */
export class Captcha {
  constructor(private readonly options: CaptchaOptions | undefined) {}

  /**
   * Makes sure that somebody without an account has solved the captcha; an account vouches for itself.
   * @throws QuireError TURNSTILE_FAILED, SERVICE_UNAVAILABLE when the verifier does not tell.
   */
  async assertSolved(
    { principal, clientAddress }: Pick<Context, 'principal' | 'clientAddress'>,
    token: string | undefined,
  ): Promise<void> {
    if (!this.options || principal.userId !== null) return;
    if (!token) throw failed();
    const { success, 'error-codes': codes = [] } = await verifyToken(token, clientAddress, this.options);
    if (success) return;
    const problem = codes.find((code) => configurationErrors.includes(code));
    throw problem === undefined
      ? failed()
      : unavailable(new Error(`The captcha service returned ${problem}`));
  }
}

async function verifyToken(
  token: string,
  clientAddress: string | null,
  { secret, url, fetch }: CaptchaOptions,
): Promise<z.output<typeof verificationSchema>> {
  const body = new URLSearchParams({ secret, response: token });
  if (clientAddress !== null) body.set('remoteip', clientAddress);
  try {
    const answer = await fetch(url, { method: 'POST', body });
    return verificationSchema.parse(await answer.json());
  } catch (error) {
    throw unavailable(error);
  }
}

const failed = () => new QuireError('TURNSTILE_FAILED', 'turnstileToken: solve the captcha and send again');
const unavailable = (cause: unknown) =>
  new QuireError('SERVICE_UNAVAILABLE', 'The captcha service is unavailable. Retry later.', { cause });
